import { parseWithZod, type Submission } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { data, type ActionFunctionArgs, type AppLoadContext } from '@remix-run/node'
import { z } from 'zod'
import type { ActionMessages } from '#app/lib/action-messages.ts'
import { choiceName } from '#app/lib/edit-conflict.ts'
import { AppError, statusByCode } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { readForm, replaceWith, type FormFailure } from '#app/lib/form-submission.ts'
import { limitUpload } from '#app/lib/upload.server.ts'
import { safeRedirectPath, withQuery } from '#app/lib/url.ts'
import { formId } from '#app/lib/zod-types.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { WriteCtx } from '#tenants/context.ts'

// Keep empty strings, as in the API: they clear the stored value.
const { coerceFormValue } = configureCoercion({ stripEmptyString: (value) => value })

/** The request of a form. `page`: the URL of the page that sent it; `closed`: the same without an open dialog. */
export type FormRequest = Pick<ActionFunctionArgs, 'request' | 'params' | 'context'> & {
  form: FormData
  page: string
  closed: string
}

type Action<S extends z.ZodType, Ctx, Intent> = {
  schema: S
  /** Return `success(…)` for a redirect, toast or cookie that depends on the result. */
  run: (ctx: Ctx, input: z.output<S>, request: FormRequest) => Promise<unknown>
  /** The redirect target on success, by default the page that sent the form, with its dialog closed. */
  to?: (request: FormRequest) => string
  /** The intent that reverts this one; the toast offers it as Undo, with the same `id`. */
  undo?: Intent
  /** The form has no input that a failure must keep: redirect with a toast. Default for `ById` and `NoInput`. */
  isButton?: boolean
  /** Adapts an error: shows it at a field, adds a link to its toast, or redirects there with a toast. */
  onError?: (error: AppError, request: FormRequest) => ErrorDisplay | undefined
  /** The toast if the schema rejects the input, besides the errors of the fields. */
  onInvalid?: (errors: Record<string, string[] | null>, request: FormRequest) => ToastMessage | undefined
}
type ErrorDisplay = { field?: string; message?: string; link?: ToastMessage['link']; to?: string }

type Options = {
  /** The page to return to if the request has no referer, by default the form's own URL. */
  home?: string
  /** The search params that open a dialog. */
  dialog?: string[]
  /** The size of the largest file in these forms, if they upload any. `requireFile` rejects a larger one. */
  maxFileBytes?: number
  /** Throws if the user may not submit the form. An AppError is shown in the form, which keeps its input. */
  authorize?: (context: AppLoadContext, intent: string) => void
}

/** The schema of a button for one record. */
export const ById = z.object({ id: formId('This form is incomplete.') })
/** The schema of a button without any input. */
export const NoInput = z.object({})

/** Shown once, such as a new secret: the page's action data, instead of a redirect. */
export type ActionReply = Record<string, unknown>

/** The result of an action that sets its own redirect, toast or cookies. They override the action's defaults. */
export class Success {
  readonly options: { to?: string; toast?: Partial<ToastMessage> | null; cookies?: string[]; data?: ActionReply }
  constructor(options: Success['options']) {
    this.options = options
  }
}
export const success = (options: Success['options']): Success => new Success(options)

/**
 * The `action` of a route: a handler for each `intent`, typed by its schema, each in one transaction of the signed-in
 * coach. Success redirects with a toast. Failure keeps the input: errors of the schema and AppErrors that name a field
 * are shown at the field, other AppErrors above the form, with code and subject. Unexpected errors are logged and shown
 * as `failed`. Works without JavaScript.
 */
export function formActions<const M extends ActionMessages, S extends { [I in keyof M]: z.ZodType }>(
  messages: M,
  actions: { [I in keyof S]: Action<S[I], WriteCtx, keyof M> },
  options: Options,
) {
  const authorize = options.authorize ?? ((context) => void context.coach())
  return handleForms<WriteCtx>(messages, actions as Handlers<WriteCtx>, { ...options, authorize }, (context, work) =>
    context.write(work),
  )
}

/** As `formActions`, for the client who is signed in to the portal. Redirects to its sign-in page without one. */
export function clientFormActions<const M extends ActionMessages, S extends { [I in keyof M]: z.ZodType }>(
  messages: M,
  actions: { [I in keyof S]: Action<S[I], WriteCtx, keyof M> },
  options: Options,
) {
  return handleForms<WriteCtx>(messages, actions as Handlers<WriteCtx>, options, async (context, work) =>
    (await context.client()).write(work),
  )
}

/** As `formActions`, for forms that need no signed-in coach: without a transaction. */
export function publicFormActions<const M extends ActionMessages, S extends { [I in keyof M]: z.ZodType }>(
  messages: M,
  actions: { [I in keyof S]: Action<S[I], AppLoadContext, keyof M> },
  options: Options,
) {
  return handleForms<AppLoadContext>(messages, actions as Handlers<AppLoadContext>, options, (context, work) =>
    work(context),
  )
}

type Handlers<Ctx> = Record<string, Action<z.ZodType, Ctx, string>>

function handleForms<Ctx>(
  messages: ActionMessages,
  handlers: Handlers<Ctx>,
  { home, dialog = ['dialog'], maxFileBytes, authorize }: Options,
  execute: (context: AppLoadContext, work: (ctx: Ctx) => Promise<unknown>) => Promise<unknown>,
) {
  const withoutDialog = Object.fromEntries(dialog.map((name) => [name, null]))
  const getLists = (intent: string) => (Object.hasOwn(handlers, intent) ? listNames(handlers[intent]!.schema) : [])
  const readFields = async (request: Request, context: AppLoadContext): Promise<FormData> => {
    if (!maxFileBytes) return readForm(request, getLists)
    // A file is large: read it only for a user who may send it.
    authorize?.(context, '')
    return readForm(await limitUpload(request, maxFileBytes), getLists)
  }

  return async ({ request, params, context }: ActionFunctionArgs) => {
    const form = await readFields(request, context)
    const intent = String(form.get('intent'))
    if (!Object.hasOwn(messages, intent)) {
      authorize?.(context, intent)
      throw new AppError('bad_request', 'Unknown form.')
    }
    const { done, failed } = messages[intent]!
    const action = handlers[intent]!
    const page = refererPath(request, home ?? formUrl(request))
    const formRequest: FormRequest = { request, params, context, form, page, closed: withQuery(page, withoutDialog) }
    const next = action.to?.(formRequest) ?? formRequest.closed
    const isButton = action.isButton ?? (action.schema === ById || action.schema === NoInput)

    const submission = parseWithZod(form, { schema: coerceFormValue(action.schema), disableAutoCoercion: true })
    try {
      authorize?.(context, intent)
      if (submission.status !== 'success') {
        if (isButton) throw new AppError('bad_request', 'Unknown form.')
        return rejectInput(submission, action.onInvalid?.(submission.error ?? {}, formRequest))
      }
      const input = withoutTheirs(action.schema, submission.value, form)
      const result = await execute(context, (ctx) => action.run(ctx, input, formRequest))
      const options = result instanceof Success ? result.options : {}
      if (options.data) return Response.json(options.data)
      const undo = action.undo ? toUndo(request, action.undo, form) : undefined
      const toast = toSuccessToast(done, isButton, options.toast, undo)
      const { to = next, cookies = [] } = options
      return replaceWith(to, [...(toast ? [context.cookies.toast(toast)] : []), ...cookies])
    } catch (thrown) {
      if (thrown instanceof Response || isDataResponse(thrown)) throw thrown
      const error = toAppError(thrown)
      if (error !== thrown) context.log.error({ err: thrown }, 'a form could not be saved')
      return showError(error, submission, {
        cookies: context.cookies,
        failed,
        redirectTo: isButton ? next : undefined,
        display: action.onError?.(error, formRequest),
      })
    }
  }
}

/**
 * The fields of a form that take several values, such as checkboxes with one name: those that the schema has as arrays.
 */
function listNames(schema: z.ZodType): string[] {
  const form = unwrap(schema)
  if (!(form instanceof z.ZodObject)) return []
  return Object.keys(form.shape).filter((name) => unwrap(form.shape[name]) instanceof z.ZodArray)
}

/** The schema without what comes before or after it: a preprocess, a transform, a default. */
function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return isWrapper ? unwrap(schema.unwrap()) : schema
}

const hiddenFields = ({ payload }: Submission<unknown>): string[] =>
  Object.keys(payload).filter((name) => /password/i.test(name))

function rejectInput(submission: Submission<unknown>, toast: ToastMessage | undefined) {
  const result = submission.reply({ hideFields: hiddenFields(submission) })
  return data<FormFailure>({ result, ...(toast ? { toast } : {}) }, { status: statusByCode.validation_failed })
}

function showError(
  error: AppError,
  submission: Submission<unknown>,
  {
    cookies,
    failed,
    redirectTo,
    display = {},
  }: {
    cookies: AppLoadContext['cookies']
    failed: ActionMessages[string]['failed']
    redirectTo: string | undefined
    display: ErrorDisplay | undefined
  },
) {
  const failedText = typeof failed === 'string' ? failed : failed.text
  const message = display.message ?? (error.code === 'internal' ? failedText : error.message)
  const title = typeof failed === 'string' ? 'Error' : failed.title
  const toast: ToastMessage = { tone: 'error', title, text: message, ...(display.link ? { link: display.link } : {}) }
  const to = display.to ?? redirectTo
  if (to !== undefined) return replaceWith(to, [cookies.toast(toast)])

  const issues = display.field ? [{ path: display.field, message }] : (error.issues ?? [])
  const fieldErrors: Record<string, string[]> = {}
  for (const issue of issues) if (issue.path in submission.payload) (fieldErrors[issue.path] ??= []).push(issue.message)
  const hasFieldErrors = Object.keys(fieldErrors).length > 0
  const result = submission.reply({
    hideFields: hiddenFields(submission),
    fieldErrors,
    formErrors: hasFieldErrors ? [] : [message],
  })
  const { code, subject, status, headers } = error
  // An edit conflict has a notice of its own in the form.
  const isEditConflict = code === 'conflict' && subject !== undefined
  const showsToast = !isEditConflict && (!hasFieldErrors || typeof failed !== 'string')
  return data<FormFailure>({ result, error: { code, subject }, ...(showsToast ? { toast } : {}) }, { status, headers })
}

function toSuccessToast(
  done: ActionMessages[string]['done'],
  isButton: boolean,
  override: Partial<ToastMessage> | null | undefined,
  undo: ToastMessage['action'],
): ToastMessage | null {
  if (override === null || (done === null && !override)) return null
  const text = typeof done !== 'string' ? (done ?? { title: 'Success' }) : isButton ? { title: done } : undefined
  return {
    tone: 'success',
    ...(text ?? { title: 'Success', text: String(done) }),
    ...(undo ? { action: undo } : {}),
    ...override,
  }
}

function toUndo(request: Request, intent: string, form: FormData): NonNullable<ToastMessage['action']> {
  const id = form.get('id')
  return {
    label: 'Undo',
    to: new URL(request.url).pathname.replace(/\.data$/, ''),
    fields: { intent, ...(typeof id === 'string' ? { id } : {}) },
  }
}

/** Whether a loader or action threw `data(…)`, as `context.coach()` does. */
const isDataResponse = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'type' in thrown && thrown.type === 'DataWithResponseInit'

/** After an edit conflict: removes the optional fields for which the user chose the other tab's version. */
function withoutTheirs(schema: z.ZodType, input: unknown, form: FormData): unknown {
  if (!(schema instanceof z.ZodObject)) return input
  const isDropped = (name: string) =>
    form.get(choiceName(name)) === 'theirs' && schema.shape[name] instanceof z.ZodOptional
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => !isDropped(name)))
}

function formUrl(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return withQuery(pathname.replace(/\.data$/, '') + search, { index: null, _routes: null })
}

/** The message of any thrown error that users may see. */
export const errorMessage = (error: unknown): string => toAppError(error).message

/** The path of the page that sent this request, or `fallback`. */
export function refererPath(request: Request, fallback: string): string {
  const referer = request.headers.get('referer')
  if (!referer || !URL.canParse(referer)) return fallback
  const from = new URL(referer)
  return (from.host === new URL(request.url).host ? safeRedirectPath(from.pathname + from.search) : null) ?? fallback
}
