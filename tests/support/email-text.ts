import { readContent } from './file-text.ts'

export type ReceivedEmail = { subject: string; text: string }

/** Reads an email as it was sent. `text`: all headers, texts and files, decoded. */
export async function readEmail(raw: string): Promise<ReceivedEmail> {
  const parts = await readPart(raw)
  return { subject: /^Subject: (.*)$/m.exec(parts[0]!)?.[1] ?? '', text: parts.join('\n') }
}

/** The decoded headers of a part, then its content, or the same of each of its own parts. */
async function readPart(raw: string): Promise<string[]> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = decodeHeaders(raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '')).replaceAll('\r', '')
  const body = raw.slice(end + 4)
  const get = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1] ?? ''
  const type = get('Content-Type')
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? []
  if (boundary) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    return [headers, ...(await Promise.all(parts.map((part) => readPart(part.trimStart())))).flat()]
  }
  return [headers, await readContent(decodeBody(body, get('Content-Transfer-Encoding').toLowerCase()))]
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll(/=\r?\n/g, '')) : Buffer.from(body)
}

const decodeQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

/** Decodes headers (RFC 2047), in which a character may be cut in two parts. */
function decodeHeaders(text: string): string {
  const part = /=\?utf-8\?([bq])\?([^?]*)\?=[ \t]*/gi
  return text.replaceAll(/(?:=\?utf-8\?[bq]\?[^?]*\?=[ \t]*)+/gi, (run) =>
    Buffer.concat(
      [...run.matchAll(part)].map(([, kind = '', value = '']) =>
        kind.toLowerCase() === 'b' ? Buffer.from(value, 'base64') : decodeQuoted(value.replaceAll('_', ' ')),
      ),
    ).toString(),
  )
}
