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
 * Reads the fields of a form, the first of each name, with CR LF as LF. Throws a 400 if the body isn't a form. Ignores
 * names that our fields never have: conform would parse `x[4294967294]` as an array of that length, and `__intent__` as
 * a command.
 */
export async function readForm(request: Pick<Request, 'formData'>): Promise<FormData> {
  const fields = new Map<string, FormDataEntryValue>()
  try {
    for (const [name, value] of await request.formData()) {
      if (fields.size < maxFields && fieldNamePattern.test(name) && !fields.has(name))
        fields.set(name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value)
    }
  } catch {
    throw data({ message: 'This form could not be read.' }, { status: statusByCode.bad_request })
  }
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
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
