import { isoTimestamp } from '#db/read-pool.ts'
import type {
  NewProgramRecord,
  ProgramPart,
  ProgramRecordItem,
  ProgramRecordState,
} from '#modules/core/program-parts.ts'
import { authorize, requireClient, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { formLink } from './link.ts'
import { submissionUrl } from './list-state.ts'
import { getForm, listFormOptions } from './queries/form.ts'
import { NewSubmission } from './forms.ts'
import { form } from './records.ts'
import { sendForm } from './services/submissions.ts'

/** The forms of clients' programs. They are in the portal; the coach may email the link. */
export const programPart: ProgramPart = {
  kind: 'form',
  label: 'Form',
  isCounted: true,
  needsChoice: true,
  choicePermission: 'forms:submission:write',
  listChoices: (ctx) => listFormOptions(ctx),
  getChoice,
  start,
  load,
}

/** One without a question can't be sent. */
async function getChoice(ctx: Ctx, id: number): Promise<void> {
  if (!(await getForm(ctx, id)).questions.length) throw form.notFound()
}

async function start(ctx: WriteCtx, { clientId, choiceId }: NewProgramRecord): Promise<number> {
  // One of its own, also beside another that waits: each item is done by its own answers.
  const { id } = await sendForm(ctx, NewSubmission.parse({ formId: choiceId, clientId }), { isNew: true })
  return id
}

/** Without those in the trash. A client sees their own forms alone. */
async function load(ctx: Ctx, items: ProgramRecordItem[]): Promise<Record<number, ProgramRecordState>> {
  if (ctx.client) requireClient(ctx, 'client:form:read')
  else authorize(ctx, 'forms:submission:read')
  const rows = await ctx.query<{ id: number; doneAt: string | null }>({
    name: 'forms.of-programs',
    text: `select s.id, ${isoTimestamp('s.submitted_at')} as "doneAt"
      from form_submission s join form f on f.coach_id = $1 and f.id = s.form_id and f.deleted_at is null
      where s.coach_id = $1 and s.id = any($2::bigint[]) and s.deleted_at is null`,
    values: [ctx.coachId, items.flatMap(({ recordId }) => recordId ?? [])],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return Object.fromEntries(
    items.flatMap(({ id, recordId }) => {
      const row = recordId === null ? undefined : byId.get(recordId)
      return row ? [[id, toState(ctx, row)]] : []
    }),
  )
}

const toState = (ctx: Ctx, { id, doneAt }: { id: number; doneAt: string | null }): ProgramRecordState => ({
  doneAt,
  to: ctx.client ? formLink.getPath(ctx, id) : submissionUrl(id).href(),
  toggle: null,
})
