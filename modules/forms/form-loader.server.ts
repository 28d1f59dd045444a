import type { Ctx } from '#tenants/context.ts'
import { limits } from './fields.ts'
import { formUrl } from './list-state.ts'
import { countSubmissions, getFormForEdit } from './queries/form.ts'

/** A form for its builder. Throws not_found. */
export async function loadForm(ctx: Ctx, id: number, url: string) {
  const [form, counts] = await Promise.all([getFormForEdit(ctx, id), countSubmissions(ctx, id)])
  const { view, dialog, question, kind } = formUrl(id).parse(url)
  const { name, description, questions, publishedNumber, hasChanges, version } = form
  return {
    id,
    name,
    description,
    questions,
    publishedNumber,
    hasChanges,
    version,
    view,
    dialog,
    question,
    kind,
    isFull: questions.length >= limits.questions,
    answers: counts.submitted,
  }
}
export type BuilderData = Awaited<ReturnType<typeof loadForm>>
