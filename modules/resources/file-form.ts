import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { FileForm } from './forms.ts'

/** The fields of a form with a file. Throws validation_failed. */
export function parseFileForm(fields: Record<string, string>): z.output<typeof FileForm> {
  const parsed = FileForm.safeParse(fields)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('validation_failed', issues[0]!.message, { issues })
}
