import type { SubmissionResult } from '@conform-to/react'
import { data, replace } from '@remix-run/node'
import { statusByCode, type ErrorCode } from './errors.ts'
import type { ToastMessage } from './flash.ts'

/** The data of a failed action: its errors and the input. */
export type FormFailure = {
  result: SubmissionResult<string[]>
  toast?: ToastMessage
  error?: { code: ErrorCode; subject: string | undefined }
}

/**
 * Reads the fields of a form, with CR LF as LF: of those that `getLists` names for its intent each value once, of the
 * others the first. Throws a 400 if the body isn't a form. Ignores names that our fields never have: conform would
 * parse `x[4294967294]` as an array of that length, and `__intent__` as a command.
 */
export async function readForm(
  request: Pick<Request, 'formData'>,
  getLists: (intent: string) => readonly string[] = () => [],
): Promise<FormData> {
  const fields = new Map<string, Set<FormDataEntryValue>>()
  let count = 0
  try {
    for (const [name, value] of await request.formData()) {
      if (count === maxFields || !fieldNamePattern.test(name)) continue
      const values = fields.get(name) ?? new Set()
      fields.set(name, values.add(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value))
      count += 1
    }
  } catch {
    throw data({ message: 'This form could not be read.' }, { status: statusByCode.bad_request })
  }
  const [intent = ''] = fields.get('intent') ?? []
  const lists = getLists(String(intent))
  const form = new FormData()
  for (const [name, values] of fields)
    for (const value of lists.includes(name) ? values : [...values].slice(0, 1)) form.append(name, value)
  return form
}

const fieldNamePattern = /^(?!__)[\w-]{1,60}$/
/** More than any form has: an invoice of 500 lines has 2,500. */
const maxFields = 4_000

/** Redirects to `to`. Replaces the history entry of the form, so that Back doesn't reopen its dialog. */
export function replaceWith(to: string, cookies: string[]): Response {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return replace(to, { headers })
}
