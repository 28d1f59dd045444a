import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { data, replace } from '@remix-run/node'
import type { z } from 'zod'
import { AppError, statusByCode, type ErrorCode } from './errors.ts'
import { flash, type ToastMessage } from './flash.ts'

// Keep empty strings, as in the API: they clear the stored value.
const { coerceFormValue } = configureCoercion({ stripEmptyString: (value) => value })

/** The data of a failed action: its errors and the input. */
export type FormFailure = {
  result: SubmissionResult<string[]>
  toast?: ToastMessage
  error?: { code: ErrorCode; subject: string | undefined }
}

type SubmitOptions<Result> = {
  /** Shown on the next page. A string becomes a toast titled 'Success'. */
  toast?: string | ToastMessage | ((result: Result) => string | ToastMessage)
  /** The redirect target, by default the page of the form. */
  to?: string | ((result: Result) => string)
  /** Additional Set-Cookie values. */
  cookies?: (result: Result) => string[]
  /** The title of the toast for any error. By default only form errors get a toast, titled 'Error'. Null for none. */
  failed?: string | null
  /** The toast for invalid fields, from their messages. By default only the fields show them. */
  invalid?: (messages: Record<string, string[] | null>) => ToastMessage | undefined
}

/**
 * Handles a form submission: validates it with `schema`, calls `work`, and redirects with a toast. An AppError becomes
 * errors of the fields that it names, or an error of the form with a toast. The input is kept, except passwords.
 * Rethrows other errors.
 */
export async function submit<S extends z.ZodType, Result>(
  request: Request,
  schema: S,
  work: (input: z.output<S>) => Promise<Result>,
  options: SubmitOptions<Result> = {},
) {
  const submission = parseWithZod(await readForm(request), {
    schema: coerceFormValue(schema),
    disableAutoCoercion: true,
  })
  const hideFields = Object.keys(submission.payload).filter((name) => /password/i.test(name))
  if (submission.status !== 'success') {
    const toast = options.invalid?.(submission.error ?? {})
    return data<FormFailure>(
      { result: submission.reply({ hideFields }), ...(toast ? { toast } : {}) },
      { status: statusByCode.validation_failed },
    )
  }
  try {
    const result = await work(submission.value)
    throw redirectWith(request, result, options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { form, fields } = splitIssues(error, submission.payload)
    const toast: ToastMessage | undefined =
      options.failed || (form.length && options.failed !== null)
        ? { tone: 'error', title: options.failed ?? 'Error', text: error.message }
        : undefined
    const result = submission.reply({ hideFields, formErrors: form, fieldErrors: fields })
    return data<FormFailure>({ result, ...(toast ? { toast } : {}) }, { status: error.status, headers: error.headers })
  }
}

/**
 * Reads the fields of a form, the first of each name, with CR LF as LF. Throws a 400 if the body isn't a form. Ignores
 * names that our fields never have: conform would parse `x[4294967294]` as an array of that length, and `__intent__` as
 * a command.
 */
export async function readForm(request: Request): Promise<FormData> {
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
/** More than any form has: importing a file takes a field for each column. */
const maxFields = 2_000

/** Redirects to `to` with a toast. Replaces the history entry of the form, so that Back doesn't reopen its dialog. */
export function redirectWithToast(to: string, toast: ToastMessage, cookies: string[] = []): Response {
  return replaceWith(to, [flash(toast), ...cookies])
}

/** Redirects to `to` and replaces the history entry. */
export function replaceWith(to: string, cookies: string[]): Response {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return replace(to, { headers })
}

function redirectWith<Result>(
  request: Request,
  result: Result,
  { toast, to, cookies }: SubmitOptions<Result>,
): Response {
  const target = (typeof to === 'function' ? to(result) : to) ?? formUrl(request)
  const message = typeof toast === 'function' ? toast(result) : toast
  return replaceWith(target, [
    ...(cookies?.(result) ?? []),
    ...(message
      ? [flash(typeof message === 'string' ? { tone: 'success', title: 'Success', text: message } : message)]
      : []),
  ])
}

function formUrl(request: Request): string {
  const url = new URL(request.url)
  url.searchParams.delete('index')
  return url.pathname.replace(/\.data$/, '') + url.search
}

/** Splits an error into field errors and form errors. */
function splitIssues(
  error: AppError,
  payload: Record<string, unknown>,
): { form: string[]; fields: Record<string, string[]> } {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of error.issues ?? []) if (path in payload) (fields[path] ??= []).push(message)
  return { form: Object.keys(fields).length ? [] : [error.message], fields }
}
