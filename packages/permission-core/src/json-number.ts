const LARGEST_UNSIGNED = "18446744073709551615";
const LARGEST_NEGATIVE = "9223372036854775808";

/**
 * The canonical spelling of a JSON number literal: an integer without fraction or exponent that fits 64 bits (signed when
 * negative) stays as it is, everything else is the nearest binary64 with a fraction or exponent, so that `1` and `1.0`
 * differ. Null where no finite binary64 is near.
 */
export function canonicalNumber(literal: string): string | null {
  if (/^-?\d+$/.test(literal) && literal !== "-0" && fits64Bits(literal)) return literal;
  const value = Number(literal);
  return Number.isFinite(value) ? spellBinary64(value) : null;
}

function fits64Bits(integer: string): boolean {
  const negative = integer.startsWith("-");
  const digits = negative ? integer.slice(1) : integer;
  const largest = negative ? LARGEST_NEGATIVE : LARGEST_UNSIGNED;
  return digits.length < largest.length || (digits.length === largest.length && digits <= largest);
}

/**
 * The shortest digits that read back as `value`, laid out as Rust's `ryu` does: plain with a fraction while the decimal
 * point stands among sixteen digits or up to four zeros before them (`100.0`, `0.00001`), else `d.ddde±x` (`1e16`, `1.5e-7`).
 */
function spellBinary64(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", exponentText = ""] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  const pointAt = exponent + 1;
  if (value === 0) return `${sign}0.0`;
  if (digits.length <= pointAt && pointAt <= 16) return `${sign}${digits.padEnd(pointAt, "0")}.0`;
  if (pointAt > 0 && pointAt <= 16) return `${sign}${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`;
  if (pointAt > -5 && pointAt <= 0) return `${sign}0.${"0".repeat(-pointAt)}${digits}`;
  return `${sign}${mantissa}e${exponent}`;
}
