import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { submit } from '#app/lib/form-submission.ts'
import { dateOf, noonOf } from '#app/lib/time.ts'
import { attempt, press } from '#modules/core/run-action.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { InteractionForm } from './forms.ts'
import { interactionSorry } from './failure-messages.ts'
import { interactionOf } from './queries/interactions.ts'
import { addInteraction, deleteInteraction, editInteraction, restoreInteraction } from './services/interactions.ts'
import { chosen } from '#app/lib/edit-conflict.ts'

// What the client's page and the page of all interactions share: both show the dialog, and both delete.

/** The dialog that the address asks for: a new interaction, or one that is there. Null for none. */
export async function dialogOf(ctx: Ctx, clientId: number, params: URLSearchParams) {
  if (params.get('dialog') !== 'interaction') return null
  const zone = ctx.account.timezone
  if (!params.has('interaction'))
    return {
      kind: 'interaction',
      interaction: { id: null, name: '', interactionDate: dateOf(ctx.now(), zone), content: null, version: 0 },
    } as const
  try {
    const { id, name, content, interactionDate, version } = await interactionOf(ctx, {
      clientId,
      id: parseId(params.get('interaction')),
    })
    return {
      kind: 'interaction',
      interaction: { id, name, content, version, interactionDate: dateOf(interactionDate, zone) },
    } as const
  } catch (error) {
    // Deleted meanwhile: the page says so in the place of the dialog.
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'gone' } as const
    throw error
  }
}

/** Saves the dialog, deletes or brings back. Throws bad_request for a form that is none of these. */
export async function interactionDeed(request: Request, context: AppLoadContext, clientId: number, form: FormData) {
  const here = addressWithout(request, ['dialog', 'interaction'])
  switch (form.get('intent')) {
    case 'interaction':
      return saveInteraction(request, context, clientId, form, here)
    case 'delete-interaction': {
      const id = parseId(form.get('id'))
      return press(context, {
        to: here,
        sorry: interactionSorry.delete,
        done: {
          tone: 'success',
          title: 'Interaction deleted',
          action: {
            label: 'Undo',
            to: `/clients/${clientId}/interactions`,
            fields: { intent: 'restore-interaction', id: String(id), to: here },
          },
        },
        work: (ctx) => deleteInteraction(ctx, { clientId, id }),
      })
    }
    case 'restore-interaction': {
      const id = parseId(form.get('id'))
      return press(context, {
        to: ownAddress(form.get('to'), clientId) ?? here,
        sorry: interactionSorry.restore,
        done: { tone: 'success', title: 'Interaction restored' },
        work: (ctx) => restoreInteraction(ctx, { clientId, id }),
      })
    }
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

function saveInteraction(request: Request, context: AppLoadContext, clientId: number, form: FormData, here: string) {
  const ctx = context.coach()
  const zone = ctx.account.timezone
  const asked = new URL(request.url).searchParams.get('interaction')
  if (asked === null) {
    return submit(
      request,
      InteractionForm,
      ({ name, content, interactionDate }) =>
        attempt(context, interactionSorry.add, (tx) =>
          addInteraction(tx, clientId, { name, content, interactionDate: noonOf(interactionDate, zone) }),
        ),
      { to: here, toast: { tone: 'success', title: 'Interaction added' } },
    )
  }
  const id = parseId(asked)
  return submit(
    request,
    InteractionForm,
    ({ version, was: _, interactionDate, ...input }) =>
      attempt(context, interactionSorry.update, async (tx) => {
        // A day that stays the same keeps its time of day, which the API may have set.
        const before = await interactionOf(tx, { clientId, id })
        const moved =
          dateOf(before.interactionDate, zone) !== interactionDate
            ? { interactionDate: noonOf(interactionDate, zone) }
            : {}
        return editInteraction(tx, { clientId, id }, chosen({ ...input, ...moved }, form), version)
      }),
    { to: here, toast: { tone: 'success', title: 'Interaction updated' } },
  )
}

/** The page that was asked for, without some of its parameters. */
export function addressWithout(request: Request, names: string[]): string {
  const url = new URL(request.url)
  for (const name of [...names, '_data', '_routes', 'index']) url.searchParams.delete(name)
  return url.pathname.replace(/\.data$/, '') + url.search
}

/** Where the deed was done, if that is a page of this client. */
function ownAddress(to: unknown, clientId: number): string | null {
  return typeof to === 'string' && new RegExp(`^/clients/${clientId}(/interactions)?(\\?[\\w=&-]*)?$`).test(to)
    ? to
    : null
}
