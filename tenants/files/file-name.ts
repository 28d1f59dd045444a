const maxNameLength = 255
/** Only the end of a longer name is read, so that trimming it takes no time. */
const maxReadLength = 1000
/** Control and format characters, also those that change the direction of text: `exe.fdp` could look like a PDF. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
/** File systems reserve these. */
const reserved = /[<>:"|?*\\/]/g

/**
 * The name of an uploaded file as it may be shown and saved: without folders, invisible or reserved characters, with
 * its extension when it has to be cut. Other scripts stay.
 */
export function toSafeFileName(name: string): string {
  const own = name
    .slice(-maxReadLength)
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
  const visible = own
    .normalize('NFC')
    .replace(invisible, '')
    .replace(reserved, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (!visible) return 'file'
  const characters = [...visible]
  if (characters.length <= maxNameLength) return visible
  const extension = [...(/\.[^.]{1,16}$/s.exec(visible)?.[0] ?? '')]
  return [...characters.slice(0, maxNameLength - extension.length), ...extension].join('')
}
