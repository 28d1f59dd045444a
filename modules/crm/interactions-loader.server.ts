import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { submit } from '#app/lib/form-submission.ts'
import { localDate, noonIn } from '#app/lib/time.ts'
import { attempt, press } from '#modules/core/run-action.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { InteractionForm } from './forms.ts'
import { interactionFailures } from './failure-messages.ts'
import { getInteraction } from './queries/interactions.ts'
import { addInteraction, deleteInteraction, editInteraction, restoreInteraction } from './services/interactions.ts'
import { resolveConflict } from '#app/lib/edit-conflict.ts'

// Shared by the client's page and the page of all interactions.

/** The interaction dialog that the URL opens, for a new or an existing interaction. */
export async function getInteractionDialog(ctx: Ctx, clientId: number, params: URLSearchParams) {
  if (params.get('dialog') !== 'interaction') return null
  const zone = ctx.account.timezone
  if (!params.has('interaction'))
    return {
      kind: 'interaction',
      interaction: { id: null, name: '', interactionDate: localDate(ctx.now(), zone), content: null, version: 0 },
    } as const
  try {
    const { id, name, content, interactionDate, version } = await getInteraction(ctx, {
      clientId,
      id: parseId(params.get('interaction')),
    })
    return {
      kind: 'interaction',
      interaction: { id, name, content, version, interactionDate: localDate(interactionDate, zone) },
    } as const
  } catch (error) {
    // Deleted in another tab: the page shows a notice instead of the dialog.
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'not-found' } as const
    throw error
  }
}

/** Saves, deletes or restores an interaction. Throws bad_request for an unknown intent. */
export async function interactionAction(request: Request, context: AppLoadContext, clientId: number, form: FormData) {
  const pageUrl = urlWithoutParams(request, ['dialog', 'interaction'])
  switch (form.get('intent')) {
    case 'interaction':
      return saveInteraction(request, context, clientId, form, pageUrl)
    case 'delete-interaction': {
      const id = parseId(form.get('id'))
      return press(context, {
        to: pageUrl,
        sorry: interactionFailures.delete,
        done: {
          tone: 'success',
          title: 'Interaction deleted',
          action: {
            label: 'Undo',
            to: `/clients/${clientId}/interactions`,
            fields: { intent: 'restore-interaction', id: String(id), to: pageUrl },
          },
        },
        work: (ctx) => deleteInteraction(ctx, { clientId, id }),
      })
    }
    case 'restore-interaction': {
      const id = parseId(form.get('id'))
      return press(context, {
        to: clientPageUrl(form.get('to'), clientId) ?? pageUrl,
        sorry: interactionFailures.restore,
        done: { tone: 'success', title: 'Interaction restored' },
        work: (ctx) => restoreInteraction(ctx, { clientId, id }),
      })
    }
    default:
      throw new AppError('bad_request', 'Unknown form.')
  }
}

function saveInteraction(request: Request, context: AppLoadContext, clientId: number, form: FormData, pageUrl: string) {
  const ctx = context.coach()
  const zone = ctx.account.timezone
  const idParam = new URL(request.url).searchParams.get('interaction')
  if (idParam === null) {
    return submit(
      request,
      InteractionForm,
      ({ name, content, interactionDate }) =>
        attempt(context, interactionFailures.add, (tx) =>
          addInteraction(tx, clientId, { name, content, interactionDate: noonIn(interactionDate, zone) }),
        ),
      { to: pageUrl, toast: { tone: 'success', title: 'Interaction added' } },
    )
  }
  const id = parseId(idParam)
  return submit(
    request,
    InteractionForm,
    ({ version, was: _, interactionDate, ...input }) =>
      attempt(context, interactionFailures.update, async (tx) => {
        // An unchanged date keeps its time of day, which the API may have set.
        const saved = await getInteraction(tx, { clientId, id })
        const dateChange =
          localDate(saved.interactionDate, zone) !== interactionDate
            ? { interactionDate: noonIn(interactionDate, zone) }
            : {}
        return editInteraction(tx, { clientId, id }, resolveConflict({ ...input, ...dateChange }, form), version)
      }),
    { to: pageUrl, toast: { tone: 'success', title: 'Interaction updated' } },
  )
}

/** The URL of the requested page without some of its search params. */
export function urlWithoutParams(request: Request, names: string[]): string {
  const url = new URL(request.url)
  for (const name of [...names, '_data', '_routes', 'index']) url.searchParams.delete(name)
  return url.pathname.replace(/\.data$/, '') + url.search
}

/** Accepts only URLs of this client's pages. */
function clientPageUrl(to: unknown, clientId: number): string | null {
  return typeof to === 'string' && new RegExp(`^/clients/${clientId}(/interactions)?(\\?[\\w=&-]*)?$`).test(to)
    ? to
    : null
}
