import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '#modules/scheduling/index.ts'

// $1 is the coach.

/** Joins the form `f`, client `c` and prospect `p` of the submission `s`, and the version `v` that it was begun on. */
const submissionJoins = `
  join form f on f.coach_id = $1 and f.id = s.form_id ${joinClient('s')} ${joinProspect('s')}
  left join form_version v on v.coach_id = $1 and v.id = s.form_version_id`
export const submissionTables = `form_submission s ${submissionJoins}`
export const proposalTables = `form_proposal o
  join form_submission s on s.coach_id = $1 and s.id = o.submission_id ${submissionJoins}`

/** A submission is hidden while it, its form, its client or its prospect is in the trash. */
export const isVisible = `s.deleted_at is null and f.deleted_at is null and c.deleted_at is null
  and p.deleted_at is null`

export const personSql = 'coalesce(c.name, p.name)'
