import { z } from 'zod'

const maxOrigins = 10

/**
 * One website a line, such as 'https://www.example.com': only its origin is kept. Without TLS only on this computer.
 * The result goes into a header: nothing but a scheme, a host and a port.
 */
export const EmbedForm = z.object({
  origins: z
    .string()
    .max(3000, 'Use at most 3,000 characters')
    .default('')
    .transform((text, ctx) => {
      const lines = text.split(/\s+/).filter(Boolean)
      const origins = [...new Set(lines.map(toOrigin))]
      const wrong = lines.find((line) => toOrigin(line) === null)
      if (wrong !== undefined)
        ctx.addIssue({
          code: 'custom',
          message: `Use an address such as https://www.example.com, not ${wrong.slice(0, 100)}`,
        })
      if (origins.length > maxOrigins) ctx.addIssue({ code: 'custom', message: `Use at most ${maxOrigins} websites` })
      return origins.filter((origin) => origin !== null)
    }),
})

function toOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin } = new URL(address)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isAllowed && /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) ? origin : null
}
