import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { findClientByEmail, type Conversion } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { contactMessageReceived } from '../events.ts'
import type { ContactForm } from '../forms.ts'
import { getContactMessage } from '../queries/contact-messages.ts'
import { contactMessage, type ContactMessageRecord } from '../records.ts'
import { ContactMessage } from '../schema.ts'
import { notifyQueue, type NotifyJob } from './notifications.ts'

/**
 * Keeps what a visitor wrote with the client or prospect of the email address, or a new prospect, and emails it to the
 * coach. Nothing tells the visitor whether the address is known. Throws plan_limit if the coach's storage is full.
 */
export async function sendContactMessage(ctx: WriteCtx, { name, email, message }: ContactForm): Promise<number> {
  authorize(ctx, 'public-page:contact-form:write')
  await assertStorage(ctx)
  const { clientId, prospectId } = await findPerson(ctx, { name, email })
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'contact_message',
    name: 'public-page.add-contact-message',
    row: { clientId, prospectId, name, email, message, createdAt: now, updatedAt: now },
  })
  if (prospectId !== null) await ctx.extensions.prospects!.logMessage(ctx, prospectId)
  await publish(ctx, contactMessageReceived, { contactMessageId: id, clientId, prospectId })
  const job: NotifyJob = { coachId: ctx.coachId, contactMessageId: id }
  await ctx.enqueue(notifyQueue, job)
  return id
}

type Person = { clientId: number | null; prospectId: number | null }

async function findPerson(ctx: WriteCtx, { name, email }: { name: string; email: string }): Promise<Person> {
  const clientId = await findClientByEmail(ctx, email)
  if (clientId !== null) return { clientId, prospectId: null }
  const prospectId = await ctx.extensions.prospects
    ?.findOrCreate(ctx, { name, email, phone: null, timezone: null, source: 'Contact form' })
    .catch((error: unknown) => {
      // A pipeline without a stage: the coach gets the email all the same.
      if (error instanceof AppError && error.code === 'conflict') return null
      throw error
    })
  return { clientId: null, prospectId: prospectId ?? null }
}

/** Moves a message to the trash. Throws not_found, also the second time. */
export async function deleteContactMessage(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'public-page:contact-message:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(ContactMessage, current, { deletedAt: ctx.now() }))) throw contactMessage.notFound()
}

/** Takes a message out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreContactMessage(ctx: WriteCtx, id: number): Promise<ContactMessageRecord> {
  authorize(ctx, 'public-page:contact-message:write')
  await ctx.em.nativeUpdate(ContactMessage, { coachId: ctx.coachId, id, deletedAt: { $ne: null } }, { deletedAt: null })
  return getContactMessage(ctx, id)
}

/** Moves the messages of a converted prospect to the client. */
export async function reassignToClient(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  await ctx.query({
    name: 'public-page.reassign-to-client',
    text: `update contact_message set client_id = $3, prospect_id = null, updated_at = $4
      where coach_id = $1 and prospect_id = $2`,
    values: [ctx.coachId, prospectId, clientId, ctx.now()],
  })
}

/** Moves the messages of a client back to the prospect. */
export async function reassignToProspect(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  await ctx.query({
    name: 'public-page.reassign-to-prospect',
    text: `update contact_message set client_id = null, prospect_id = $2, updated_at = $4
      where coach_id = $1 and client_id = $3`,
    values: [ctx.coachId, prospectId, clientId, ctx.now()],
  })
}
