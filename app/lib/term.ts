/** What somebody searches for. Text that can't be stored can't be found either: it is left out. */
export function termOf(sent: string | null | undefined): string {
  return (sent ?? '').toWellFormed().replaceAll('\0', '').slice(0, 200)
}
