/** Texts that make careless regular expressions slow: repeated beginnings of matches that never end. */
const patterns: ((size: number) => string)[] = [
  ...['a', ' ', '1', '0', 'T', '.', ',', '<', '*', '\\', '"', "'", '-', '\n', '@.', 'a@', 'a*', '=_', '<a ', '\n '].map(
    (unit) => (size: number) => unit.repeat(size / unit.length),
  ),
  (size) => `${'@.'.repeat(size / 2 - 1)} x`,
  (size) => `a@${'a.'.repeat(size / 2 - 2)} `,
  (size) => `a${' '.repeat(size - 2)}b`,
  (size) => `a${'\n'.repeat(size - 2)}•`,
  (size) => `2026-03-10T10:00:00.${'1'.repeat(size - 21)}x`,
  (size) => 'T+00'.repeat(size / 4),
  (size) => `1${',111'.repeat(size / 4 - 1)}x`,
  // Longer after normalization, and letters that follow each other without end.
  (size) => 'ﷺ'.repeat(size / 3),
  (size) => `a${'\u0301'.repeat(size / 2 - 1)}`,
  (size) => '😀'.repeat(size / 4),
]

/** The patterns, each of about `bytes` bytes. */
export const longTexts = (bytes: number): string[] => patterns.map((create) => create(bytes))
