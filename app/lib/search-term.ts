/** What somebody searches for. Text that can't be stored can't be found either: it is left out. */
export function termOf(sent: string | null | undefined): string {
  return (sent ?? '').toWellFormed().replaceAll('\0', '').slice(0, 200)
}

/** What a list is filtered by: one line of at most 255 characters, without what no text can hold. */
export function searchLine(sent: string): string {
  return [
    ...sent
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  ]
    .slice(0, 255)
    .join('')
}
