import type { z } from 'zod'
import { parseId } from '#app/lib/url.ts'
import { ById, type FormRequest } from '#modules/core/form-actions.server.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { InteractionEditForm, NewInteractionForm, type NewInteractionOnDate } from './forms.ts'
import {
  createInteractionOnDate,
  deleteInteraction,
  updateInteractionOnDate,
  restoreInteraction,
} from './services/interactions.ts'

type Button = z.output<typeof ById>

const toRef = ({ params }: FormRequest, id: number) => ({ clientId: parseId(params.id), id })

/** Handlers for `formActions`, shared by the client's page and the page of all interactions. */
export const interactionActions = {
  'add-interaction': {
    schema: NewInteractionForm,
    run: (ctx: WriteCtx, input: NewInteractionOnDate, { params }: FormRequest) =>
      createInteractionOnDate(ctx, parseId(params.id), input),
  },
  'edit-interaction': {
    schema: InteractionEditForm,
    run: (ctx: WriteCtx, { id, version, ...input }: z.output<typeof InteractionEditForm>, request: FormRequest) =>
      updateInteractionOnDate(ctx, toRef(request, id), input, version),
  },
  'delete-interaction': {
    schema: ById,
    run: (ctx: WriteCtx, { id }: Button, request: FormRequest) => deleteInteraction(ctx, toRef(request, id)),
    undo: 'restore-interaction',
  },
  'restore-interaction': {
    schema: ById,
    run: (ctx: WriteCtx, { id }: Button, request: FormRequest) => restoreInteraction(ctx, toRef(request, id)),
    to: ({ page }: FormRequest) => page,
  },
} as const
