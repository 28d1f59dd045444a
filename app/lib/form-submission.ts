import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { data, replace } from '@remix-run/node'
import type { z } from 'zod'
import { AppError, statusOf, type ErrorCode } from './errors.ts'
import { flash, type ToastMessage } from './flash.ts'

// An emptied field is sent as an empty text, as the API would get it: it clears what was there.
const { coerceFormValue } = configureCoercion({ stripEmptyString: (value) => value })

/** What an action answers when it didn't do its work: what is wrong with which field, and what was typed. */
export type Refusal = {
  result: SubmissionResult<string[]>
  toast?: ToastMessage
  error?: { code: ErrorCode; subject: string | undefined }
}

type Done<Result> = {
  /** Shown on the next page. A text becomes a toast titled 'Success'. */
  toast?: string | ToastMessage | ((result: Result) => string | ToastMessage)
  /** Where to go; without it back to the page of the form, freshly loaded. */
  to?: string | ((result: Result) => string)
  /** The Set-Cookie values that go with it. */
  cookies?: (result: Result) => string[]
  /** The title of the toast of every refusal; without it only what is about no field gets one, titled 'Error'. Null for none. */
  failed?: string | null
  /** What a toast says of fields that are missing or wrong, by their messages; left out, they say it themselves. */
  invalid?: (messages: Record<string, string[] | null>) => ToastMessage | undefined
}

/**
 * Does a form's work: reads it, checks it by `schema`, calls `work`, and goes on with a toast. A refusal (AppError) becomes
 * errors beside the fields it names, everything else an error of the form and a toast; what was typed stays, passwords aside.
 * Whatever else is thrown is thrown on.
 */
export async function submit<S extends z.ZodType, Result>(
  request: Request,
  schema: S,
  work: (input: z.output<S>) => Promise<Result>,
  done: Done<Result> = {},
) {
  const submission = parseWithZod(await formOf(request), { schema: coerceFormValue(schema), disableAutoCoercion: true })
  const hideFields = Object.keys(submission.payload).filter((name) => /password/i.test(name))
  if (submission.status !== 'success') {
    const toast = done.invalid?.(submission.error ?? {})
    return data<Refusal>(
      { result: submission.reply({ hideFields }), ...(toast ? { toast } : {}) },
      { status: statusOf.validation_failed },
    )
  }
  try {
    const result = await work(submission.value)
    throw onward(request, result, done)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { form, fields } = placed(error, submission.payload)
    const toast: ToastMessage | undefined =
      done.failed || (form.length && done.failed !== null)
        ? { tone: 'error', title: done.failed ?? 'Error', text: error.message }
        : undefined
    const result = submission.reply({ hideFields, formErrors: form, fieldErrors: fields })
    return data<Refusal>({ result, ...(toast ? { toast } : {}) }, { status: error.status, headers: error.headers })
  }
}

/**
 * The fields of a form that was sent, each once, with breaks as they were typed: forms travel with CR LF. What is no form is a
 * refusal, not a failure of ours. What has a name that none of our fields has is left out: conform reads `x[4294967294]` as a
 * list that long, and `__intent__` as an order to change one.
 */
export async function formOf(request: Request): Promise<FormData> {
  const fields = new Map<string, FormDataEntryValue>()
  try {
    for (const [name, value] of await request.formData()) {
      if (fields.size < mostFields && ordinaryName.test(name) && !fields.has(name))
        fields.set(name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value)
    }
  } catch {
    throw data({ message: 'This form could not be read.' }, { status: statusOf.bad_request })
  }
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const ordinaryName = /^(?!__)[\w-]{1,60}$/
/** More than any form of ours has: a file to import has a field for each column. */
const mostFields = 2_000

/** Goes to `to` and says there what was done. In the history it takes the place of the page with the form: Back opens no dialog again. */
export function redirectWithToast(to: string, toast: ToastMessage, cookies: string[] = []): Response {
  return goOn(to, [flash(toast), ...cookies])
}

function goOn(to: string, cookies: string[]): Response {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return replace(to, { headers })
}

function onward<Result>(request: Request, result: Result, { toast, to, cookies }: Done<Result>): Response {
  const target = (typeof to === 'function' ? to(result) : to) ?? ownAddress(request)
  const said = typeof toast === 'function' ? toast(result) : toast
  return goOn(target, [
    ...(cookies?.(result) ?? []),
    ...(said ? [flash(typeof said === 'string' ? { tone: 'success', title: 'Success', text: said } : said)] : []),
  ])
}

function ownAddress(request: Request): string {
  const url = new URL(request.url)
  url.searchParams.delete('index')
  return url.pathname.replace(/\.data$/, '') + url.search
}

/** What of a refusal is about a field that the form has, and what is about the form. */
function placed(
  error: AppError,
  payload: Record<string, unknown>,
): { form: string[]; fields: Record<string, string[]> } {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of error.issues ?? []) if (path in payload) (fields[path] ??= []).push(message)
  return { form: Object.keys(fields).length ? [] : [error.message], fields }
}
