/** In UTF-16 units; a longer pattern is nobody's intent, and each step of a text would cost more the longer it is. */
export const LONGEST_PATTERN = 4_096;
