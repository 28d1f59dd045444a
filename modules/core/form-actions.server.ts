import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { data, type ActionFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import type { ActionMessages } from '#app/lib/action-messages.ts'
import { AppError, statusByCode } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { parseId, withQuery } from '#app/lib/url.ts'
import { readForm, redirectWithToast, type FormFailure } from '#app/lib/form-submission.ts'
import { choiceName } from '#app/lib/edit-conflict.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { backTo } from './run-action.server.ts'

// An emptied input clears the field: it reaches the schema as an empty text.
const { coerceFormValue } = configureCoercion({ stripEmptyString: (value) => value })

/** The page that sent the form: its URL, and the same without an open dialog. */
type Sender = { page: string; closed: string }
type Action<S extends z.ZodType, Intent> = {
  schema: S
  run: (ctx: WriteCtx, input: z.output<S>, params: ActionFunctionArgs['params']) => Promise<unknown>
  /** Where to go on success. Default: the page that sent the form, its dialog closed. */
  to?: (sender: Sender) => string
  /** The intent that reverts it; the toast offers it as Undo. */
  undo?: Intent
}

/** The schema of a plain button. It has no input to keep, so its failure is a toast on the page that it stands on. */
export const ById = z.object({ id: z.preprocess(parseId, z.int()) })

/**
 * The `action` of a route: a handler for each `intent`, typed by its schema, each in one transaction. Success redirects with a toast.
 * Failure keeps what was typed: messages of the schema and AppErrors that name a field go beside the field, other AppErrors above
 * the form with their code and subject, and unexpected errors are logged and shown as `failed`. Works without JavaScript.
 */
export function formActions<const M extends ActionMessages, S extends { [I in keyof M]: z.ZodType }>(
  messages: M,
  actions: { [I in keyof S]: Action<S[I], keyof M> },
  {
    home,
    dialog = ['dialog'],
  }: {
    /** Where to go without a referer. */ home: string /** The search params that open a dialog. */
    dialog?: string[]
  },
) {
  const withoutDialog = Object.fromEntries(dialog.map((name) => [name, null]))

  return async ({ request, params, context }: ActionFunctionArgs) => {
    context.coach()
    const form = await readForm(request)
    const intent = String(form.get('intent'))
    if (!Object.hasOwn(messages, intent)) throw new AppError('bad_request', 'Unknown form.')
    const { done, failed } = messages[intent]!
    const { schema, run, to, undo } = actions[intent] as Action<z.ZodType, string>
    const isButton = schema === ById
    const page = backTo(request, home)
    const sender: Sender = { page, closed: withQuery(page, withoutDialog) }
    const next = to?.(sender) ?? sender.closed

    const submission = parseWithZod(form, { schema: coerceFormValue(schema), disableAutoCoercion: true })
    const hideFields = Object.keys(submission.payload).filter((name) => /password/i.test(name))
    if (submission.status !== 'success')
      return data<FormFailure>({ result: submission.reply({ hideFields }) }, { status: statusByCode.validation_failed })
    try {
      await context.write((ctx) => run(ctx, withoutTheirs(schema, submission.value, form), params))
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error !== thrown) context.log.error({ err: thrown }, 'a form could not be saved')
      const message = error.code === 'internal' ? failed : error.message
      const toast: ToastMessage = { tone: 'error', title: 'Error', text: message }
      if (isButton) return redirectWithToast(next, toast)
      const fieldErrors = fieldErrorsOf(error, submission.payload)
      const beside = Object.keys(fieldErrors).length > 0
      const result = submission.reply({ hideFields, fieldErrors, formErrors: beside ? [] : [message] })
      const { code, subject, status, headers } = error
      return data<FormFailure>({ result, error: { code, subject }, ...(beside ? {} : { toast }) }, { status, headers })
    }
    const toast: ToastMessage = { tone: 'success', ...(isButton ? { title: done } : { title: 'Success', text: done }) }
    if (undo)
      toast.action = { label: 'Undo', to: pathOf(request), fields: { intent: undo, id: String(form.get('id')) } }
    return redirectWithToast(next, toast)
  }
}

const pathOf = (request: Request): string => new URL(request.url).pathname.replace(/\.data$/, '')

function fieldErrorsOf({ issues = [] }: AppError, payload: Record<string, unknown>): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of issues) if (path in payload) (fields[path] ??= []).push(message)
  return fields
}

/** After an edit conflict: drops the fields for which the other tab's version was chosen. Only what the schema has as optional can be dropped. */
function withoutTheirs(schema: z.ZodType, input: unknown, form: FormData): unknown {
  if (!(schema instanceof z.ZodObject)) return input
  const isDropped = (name: string) =>
    form.get(choiceName(name)) === 'theirs' && schema.shape[name] instanceof z.ZodOptional
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => !isDropped(name)))
}
