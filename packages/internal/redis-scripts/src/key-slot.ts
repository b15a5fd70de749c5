const SLOTS = 16_384;
const POLYNOMIAL = 0x1021;

/** The slot of a Cluster that a key lies in, 0 to 16,383: CRC-16/XMODEM of its hash tag, or of the whole key without one. */
export function keySlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(hashed(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ POLYNOMIAL) & 0xffff;
    }
  }
  return crc % SLOTS;
}

function hashed(key: string): string {
  const start = key.indexOf("{");
  const end = start < 0 ? -1 : key.indexOf("}", start + 1);
  return end > start + 1 ? key.slice(start + 1, end) : key;
}
