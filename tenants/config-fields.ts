import { z } from 'zod'
import { withTlsMode } from './database-url.ts'
import { isLoopback } from './local-addresses.ts'

// The kinds of settings in environment variables. Each message goes after "it".

const emptyAsUndefined = (value: unknown): unknown => (value === '' ? undefined : value)
export const optional = <S extends z.ZodType>(schema: S) => z.preprocess(emptyAsUndefined, schema.optional())
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `must be a whole number from ${min} to ${max}`)
        .max(max, `must be a whole number from ${min} to ${max}`),
    )
export const splitKeys = (value: string): string[] => value.split(',').map((key) => key.trim())
export const choice = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
export const url = (protocols: RegExp, hint: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.test(value), hint)

/** Another address of a vendor, for tests: without TLS on this machine only. */
export const vendorUrl = z
  .string()
  .refine(
    (value) =>
      URL.canParse(value) &&
      (value.startsWith('https:') || (value.startsWith('http:') && isLoopback(new URL(value).hostname))),
    'must begin with https:// unless it is on this machine',
  )

export const databaseUrl = url(
  /^postgres(ql)?:\/\//,
  'must be an address such as postgresql://user:password@host:5432/name',
).transform((value, issues) => {
  try {
    return withTlsMode(value)
  } catch (error) {
    issues.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})
