import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Answers, Question, SubmissionState } from '../fields.ts'
import { isVisible, personSql, proposalTables, submissionTables } from '../joins.ts'
import { stateSql, submission, type ProposalRecord, type RequirementRecord, type SubmissionRecord } from '../records.ts'

type Filter = {
  status?: SubmissionState | null | undefined
  formId?: number | undefined
  clientId?: number | undefined
}

const filters = ({ status, formId, clientId }: Filter) => ({
  isVisible,
  status: status ? ([`(${stateSql}) = ?`, status] as [string, unknown]) : (false as const),
  form: formId !== undefined && (['s.form_id = ?', formId] as [string, unknown]),
  client: clientId !== undefined && (['s.client_id = ?', clientId] as [string, unknown]),
})

/** Newest first. */
export async function listSubmissions(
  ctx: Ctx,
  { status, formId, clientId, ...page }: Page & Filter = {},
): Promise<SubmissionRecord[]> {
  authorize(ctx, 'forms:submission:read')
  return listNewest(ctx, {
    name: 'forms.submissions',
    select: submission.select,
    from: submissionTables,
    where: filters({ status, formId, clientId }),
    time: 's.created_at',
    id: 's.id',
    ...page,
  })
}

/** Throws not_found. */
export async function getSubmission(ctx: Ctx, id: number): Promise<SubmissionRecord> {
  authorize(ctx, 'forms:submission:read')
  const [row] = await ctx.query<SubmissionRecord>({
    name: 'forms.submission',
    text: `select ${submission.select} from ${submissionTables}
      where s.coach_id = $1 and s.id = $2 and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw submission.notFound()
  return row
}

export type ListedSubmission = {
  id: number
  formId: number
  formName: string
  clientId: number | null
  personName: string
  status: SubmissionState
  createdAt: string
  submittedAt: string | null
}
const listed = `s.id, s.form_id as "formId", coalesce(v.name, f.name) as "formName", s.client_id as "clientId",
  ${personSql} as "personName", ${stateSql} as status, ${isoTimestamp('s.created_at')} as "createdAt",
  ${isoTimestamp('s.submitted_at')} as "submittedAt"`

/** One page of the submissions of a form: the last answered first, then the last sent. */
export async function listSubmissionsPage(
  ctx: Ctx,
  { formId, status, page, rows }: { formId: number; status: SubmissionState | null; page: number; rows: number },
): Promise<{ submissions: ListedSubmission[]; count: number }> {
  authorize(ctx, 'forms:submission:read')
  const where = `where s.coach_id = $1 and s.form_id = $2 and ${isVisible}
    and ($3::text is null or (${stateSql}) = $3)`
  const values = [ctx.coachId, formId, status]
  const [submissions, [found]] = (await ctx.queryAll([
    {
      name: 'forms.submissions-page',
      text: `select ${listed} from ${submissionTables} ${where}
        order by s.submitted_at desc nulls last, s.created_at desc, s.id desc limit $4 offset $5`,
      values: [...values, rows, (page - 1) * rows],
    },
    {
      name: 'forms.submissions-count',
      text: `select count(*)::int as count from ${submissionTables} ${where}`,
      values,
    },
  ])) as [ListedSubmission[], [{ count: number }]]
  return { submissions, count: found.count }
}

/** The forms of a client: the latest first, at most `rows`. */
export async function listSubmissionsOfClient(ctx: Ctx, clientId: number, rows: number): Promise<ListedSubmission[]> {
  authorize(ctx, 'forms:submission:read')
  return ctx.query<ListedSubmission>({
    name: 'forms.submissions-of-client',
    text: `select ${listed} from ${submissionTables}
      where s.coach_id = $1 and s.client_id = $2 and ${isVisible}
      order by coalesce(s.submitted_at, s.created_at) desc, s.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}

/** The forms that a client answered after `since` (null: ever), the latest first. */
export async function listAnsweredByClient(
  ctx: Ctx,
  { clientId, since, rows }: { clientId: number; since: Date | null; rows: number },
): Promise<ListedSubmission[]> {
  authorize(ctx, 'forms:submission:read')
  return ctx.query<ListedSubmission>({
    name: 'forms.answered-by-client',
    text: `select ${listed} from ${submissionTables}
      where s.coach_id = $1 and s.client_id = $2 and ${isVisible}
        and s.submitted_at > coalesce($3::timestamptz, '-infinity')
      order by s.submitted_at desc, s.id desc limit $4`,
    values: [ctx.coachId, clientId, since, rows],
  })
}

/** The forms that were answered after `since`, the latest first. */
export async function listAnswered(ctx: Ctx, since: Date, rows: number): Promise<ListedSubmission[]> {
  authorize(ctx, 'forms:submission:read')
  return ctx.query<ListedSubmission>({
    name: 'forms.answered',
    text: `select ${listed} from ${submissionTables}
      where s.coach_id = $1 and s.submitted_at > $2 and ${isVisible}
      order by s.submitted_at desc, s.id desc limit $3`,
    values: [ctx.coachId, since, rows],
  })
}

export type FileRow = { id: number; question: string; fileName: string; size: number; contentType: string }

/** The questions of the version that was answered; null until there are answers. */
export type SubmissionDetails = SubmissionRecord & {
  version: number
  questions: Question[] | null
  files: FileRow[]
  proposals: ProposalRecord[]
}

const proposalColumns = `o.id, o.coach_id as "coachId", o.submission_id as "submissionId", s.client_id as "clientId",
  o.question, o.field, o.value, o.state, ${isoTimestamp('o.decided_at')} as "decidedAt",
  ${isoTimestamp('o.created_at')} as "createdAt"`

/** Everything that the coach's page of a submission shows. Throws not_found. */
export async function getSubmissionDetails(ctx: Ctx, id: number): Promise<SubmissionDetails> {
  authorize(ctx, 'forms:submission:read')
  const values = [ctx.coachId, id]
  const [[row], files, proposals] = (await ctx.queryAll([
    {
      name: 'forms.submission-details',
      text: `select ${submission.select}, s.version, v.questions from ${submissionTables}
        where s.coach_id = $1 and s.id = $2 and ${isVisible}`,
      values,
    },
    toFilesQuery(values),
    {
      name: 'forms.submission-proposals',
      text: `select ${proposalColumns} from ${proposalTables}
        where o.coach_id = $1 and o.submission_id = $2 order by o.id`,
      values,
    },
  ])) as [SubmissionDetails[], FileRow[], ProposalRecord[]]
  if (!row) throw submission.notFound()
  return { ...row, files, proposals }
}

const toFilesQuery = (values: unknown[]) => ({
  name: 'forms.submission-files',
  text: `select id, question, file_name as "fileName", size, content_type as "contentType" from form_file
    where coach_id = $1 and submission_id = $2 order by id`,
  values,
})

/** The files of a submission. For the page of its link, too. */
export const listFiles = (ctx: Ctx, submissionId: number): Promise<FileRow[]> =>
  ctx.query<FileRow>(toFilesQuery([ctx.coachId, submissionId]))

/** A file of a submission that the coach may see; null otherwise. */
export async function findFile(
  ctx: Ctx,
  submissionId: number,
  fileId: number,
): Promise<{ storedFileId: number; fileName: string } | null> {
  await getSubmission(ctx, submissionId)
  const [row] = await ctx.query<{ storedFileId: number; fileName: string }>({
    name: 'forms.file',
    text: `select stored_file_id as "storedFileId", file_name as "fileName" from form_file
      where coach_id = $1 and submission_id = $2 and id = $3`,
    values: [ctx.coachId, submissionId, fileId],
  })
  return row ?? null
}

/** Proposals that wait for the coach, newest first. */
export async function listProposals(ctx: Ctx, page: Page = {}): Promise<ProposalRecord[]> {
  authorize(ctx, 'forms:submission:read')
  return listNewest(ctx, {
    name: 'forms.proposals',
    select: proposalColumns,
    from: proposalTables,
    where: { isVisible, open: `o.state = 'open'` },
    time: 'o.created_at',
    id: 'o.id',
    ...page,
  })
}

/** A proposal in any state; null for an unknown one. */
export async function findProposal(ctx: Ctx, id: number): Promise<ProposalRecord | null> {
  authorize(ctx, 'forms:submission:read')
  const [row] = await ctx.query<ProposalRecord>({
    name: 'forms.proposal',
    text: `select ${proposalColumns} from ${proposalTables}
      where o.coach_id = $1 and o.id = $2 and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

export type ScaleAnswer = {
  submissionId: number
  formId: number
  formName: string
  question: Question
  value: number
  at: string
}

/** The answers of a client to scales, by form and question, oldest first. */
export async function listScaleAnswers(ctx: Ctx, clientId: number): Promise<ScaleAnswer[]> {
  authorize(ctx, 'forms:submission:read')
  return ctx.query<ScaleAnswer>({
    name: 'forms.scale-answers',
    text: `select s.id as "submissionId", s.form_id as "formId", f.name as "formName", q.question,
        (s.answers ->> (q.question ->> 'id'))::int as value, ${isoTimestamp('s.submitted_at')} as at
      from ${submissionTables}
        cross join lateral jsonb_array_elements(v.questions) with ordinality as q (question, position)
      where s.coach_id = $1 and s.client_id = $2 and s.submitted_at is not null and ${isVisible}
        and q.question ->> 'kind' = 'scale' and jsonb_typeof(s.answers -> (q.question ->> 'id')) = 'number'
      order by s.form_id, q.position, s.submitted_at, s.id`,
    values: [ctx.coachId, clientId],
  })
}

export type ExportedSubmission = {
  id: number
  personName: string
  number: number
  answers: Answers
  files: Record<string, string>
  submittedAt: string
}

/** The submitted answers of a form after an id, oldest first. */
export async function listSubmissionsForExport(
  ctx: Ctx,
  formId: number,
  after: number,
  rows: number,
): Promise<ExportedSubmission[]> {
  authorize(ctx, 'forms:submission:read')
  return ctx.query<ExportedSubmission>({
    name: 'forms.export',
    text: `select s.id, ${personSql} as "personName", v.number, s.answers,
        ${isoTimestamp('s.submitted_at')} as "submittedAt", coalesce((
          select jsonb_object_agg(x.question, x.file_name) from form_file x
          where x.coach_id = $1 and x.submission_id = s.id), '{}') as files
      from ${submissionTables}
      where s.coach_id = $1 and s.form_id = $2 and s.submitted_at is not null and ${isVisible} and s.id > $3
      order by s.id limit $4`,
    values: [ctx.coachId, formId, after, rows],
  })
}

const requirementColumns = `r.id, r.coach_id as "coachId", r.appointment_type_id as "appointmentTypeId",
  r.form_id as "formId", f.name as "formName", ${isoTimestamp('r.created_at')} as "createdAt"`
const requirementTables = 'form_requirement r join form f on f.coach_id = $1 and f.id = r.form_id'

/** Which appointment types require which forms, newest first. */
export async function listRequirements(
  ctx: Ctx,
  { typeId, ...page }: Page & { typeId?: number } = {},
): Promise<RequirementRecord[]> {
  authorize(ctx, 'forms:form:read')
  return listNewest(ctx, {
    name: 'forms.requirements',
    select: requirementColumns,
    from: requirementTables,
    where: {
      isCurrent: 'f.deleted_at is null',
      type: typeId !== undefined && ['r.appointment_type_id = ?', typeId],
    },
    time: 'r.created_at',
    id: 'r.id',
    ...page,
  })
}
