/** The bytes at the beginning of a file that tell its type. */
export const headBytes = 4_100

const unknownType = 'application/octet-stream'
const utf8 = new TextDecoder('utf-8', { fatal: true })
/**
 * A browser could run these types, also inside of XML: no response has them. Word and Excel files are archives, not
 * XML.
 */
const executable = /html|(?<!open)xml|svg|javascript|ecmascript|flash|x-msdownload|wasm/
/** A page may play these types: they have no scripts of their own. */
const playable = /^(audio|video)\/[\w.+-]+$/

/** The type of a file by its first bytes, whatever its name says. Text of any language is plain text. */
export async function detectContentType(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return executable.test(found.mime) ? unknownType : found.mime
  return isText(head) ? 'text/plain' : unknownType
}

/** Whether a page may play it where it is, instead of downloading it. */
export const isPlayable = (contentType: string): boolean => playable.test(contentType)

function isText(head: Uint8Array): boolean {
  if (head.some((byte) => byte === 0)) return false
  // The last character may be cut off.
  for (let cut = 0; cut < 4 && cut < head.length; cut++) {
    try {
      utf8.decode(head.subarray(0, head.length - cut))
      return true
    } catch {
      if (head.length < headBytes) return false
    }
  }
  return false
}
