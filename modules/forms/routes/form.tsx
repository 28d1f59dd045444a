import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Pencil, Plus, Send, Upload } from 'lucide-react'
import { formValues } from '#app/lib/fields.ts'
import { parseId } from '#app/lib/url.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { useDeletedPart } from '#app/ui/forms/deleted-part.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { Preview } from '../components/preview.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { QuestionList } from '../components/question-list.tsx'
import { formFields, limits, newQuestion, questionKinds, type QuestionKind } from '../fields.ts'
import { loadForm, type BuilderData } from '../form-loader.server.ts'
import { ByQuestion, EditFormForm, MoveQuestionForm, QuestionForm } from '../forms.ts'
import { answersUrl, formsUrl, formUrl } from '../list-state.ts'
import { deleteQuestion, moveQuestion, publishForm, saveQuestion, updateForm } from '../services/form.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.name ?? 'Form')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadForm(context.coach(), parseId(params.id), request.url)

const messages = {
  edit: { done: 'Form updated', failed: 'Failed to update the form.' },
  'save-question': { done: 'Question saved', failed: 'Failed to save the question.' },
  'delete-question': { done: 'Question deleted', failed: 'Failed to delete the question.' },
  move: { done: null, failed: 'Failed to move the question.' },
  publish: { done: 'Form published', failed: 'Failed to publish the form.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    edit: { schema: EditFormForm, run: (ctx, { id, version, ...input }) => updateForm(ctx, id, input, version) },
    'save-question': { schema: QuestionForm, run: saveQuestion },
    'delete-question': {
      schema: ByQuestion,
      run: (ctx, { id, question }) => deleteQuestion(ctx, id, question),
      isButton: true,
    },
    move: {
      schema: MoveQuestionForm,
      run: (ctx, { id, ...move }) => moveQuestion(ctx, id, move),
      to: toPage,
      isButton: true,
    },
    publish: { schema: ById, run: (ctx, { id }) => publishForm(ctx, id), to: toPage },
  },
  { dialog: ['dialog', 'question', 'kind'] },
)

export const clientAction = formClientAction(messages)

export default function FormPage() {
  const data = useLoaderData<typeof loader>()
  const { id, name, description, questions, view, publishedNumber, hasChanges, answers } = data
  const url = formUrl(id)
  return (
    <Page
      title={name}
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Forms', to: '/forms' }, { label: 'Form' }]}
      description={description}
      actions={
        <>
          <ButtonLink icon={Pencil} to={url.href({ dialog: 'details' })} preventScrollReset>
            Details
          </ButtonLink>
          {questions.length > 0 && (
            <SecondaryLink icon={Send} to={formsUrl.href({ dialog: 'send', form: id })}>
              Send Form
            </SecondaryLink>
          )}
          {hasChanges && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="publish" />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" variant="primary" icon={Upload}>
                {publishedNumber === null ? 'Publish' : 'Publish Changes'}
              </Button>
            </Form>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Tabs
          label="Form"
          tabs={[
            { label: 'Questions', to: url.href(), current: view === null },
            { label: 'Preview', to: url.href({ view: 'preview' }), current: view === 'preview' },
            { label: `Answers (${answers.toLocaleString('en-US')})`, to: answersUrl(id).href(), current: false },
          ]}
        />
        <Badge tone={publishedNumber === null ? 'neutral' : hasChanges ? 'warning' : 'success'}>
          {publishedNumber === null
            ? 'Draft'
            : `Version ${publishedNumber}${hasChanges ? ', changes not published' : ' is published'}`}
        </Badge>
      </div>
      {view === 'preview' ? <Preview key={data.version} {...data} /> : <Questions {...data} />}
      <OpenDialog {...data} />
    </Page>
  )
}

function Questions({ id, questions, isFull }: BuilderData) {
  const url = formUrl(id)
  return (
    <div className="grid gap-4">
      <div className="card overflow-hidden">
        {questions.length ? (
          <QuestionList
            formId={id}
            questions={questions}
            toHref={(question) => url.href({ dialog: 'question', question })}
          />
        ) : (
          <EmptyState title="No questions yet">Add the first one below.</EmptyState>
        )}
      </div>
      {isFull ? (
        <p className="note">A form has at most {limits.questions} questions.</p>
      ) : (
        <nav aria-label="Add a question" className="flex flex-wrap gap-2">
          {(Object.keys(questionKinds) as QuestionKind[]).map((kind) => (
            <ButtonLink
              key={kind}
              size="sm"
              icon={Plus}
              to={url.href({ dialog: 'question', kind })}
              preventScrollReset
              aria-label={`Add ${questionKinds[kind]}`}
            >
              {questionKinds[kind]}
            </ButtonLink>
          ))}
        </nav>
      )}
    </div>
  )
}

function DetailsDialog({ id, name, description, version }: BuilderData) {
  const values = formValues(formFields, { name, description })
  const state = useServerForm(formFields, { id: 'details', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'form', current: { version, values } })
  const { form, busy } = state
  return (
    <Dialog title="Form Details" closeTo={formUrl(id).href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {conflict.inputs}
          {conflict.notice}
          <TextField field={conflict.fields.name} autoComplete="off" />
          <TextAreaField field={conflict.fields.description} rows={4} hint="Clients read it above the questions." />
          <DialogSubmit
            busy={busy}
            aside={
              <>
                <HistoryLink kind="form" id={id} />
                <ButtonLink variant="danger-ghost" to={formsUrl.href({ dialog: 'delete', form: id })}>
                  Delete
                </ButtonLink>
              </>
            }
          >
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const toQuestionKind = (text: unknown): QuestionKind | null =>
  typeof text === 'string' && Object.hasOwn(questionKinds, text) ? (text as QuestionKind) : null

function OpenDialog(data: BuilderData) {
  const { id, dialog, question: questionId, kind, questions, version } = data
  const url = formUrl(id)
  const closeTo = url.href()
  if (dialog === 'details') return <DetailsDialog {...data} />
  const index = questions.findIndex((one) => one.id === questionId)
  const question = questions[index]
  const deleted = useDeletedPart('save-question', question !== undefined || !questionId)
  if (dialog === 'delete-question' && question)
    return (
      <ConfirmDialog
        title="Delete Question"
        confirm="Delete Question"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-question', id: String(id), question: question.id }}
      >
        “{question.label}” is removed from the form. Answers that were given to it stay.
      </ConfirmDialog>
    )
  if (dialog !== 'question') return null
  const newKind = deleted ? toQuestionKind(deleted.kind) : kind
  const shown = question ?? (newKind && newQuestion(newKind, 'new'))
  if (!shown) return null
  return (
    <QuestionDialog
      key={shown.id + shown.kind}
      formId={id}
      version={version}
      question={shown}
      isNew={!question}
      deleted={deleted}
      earlier={question ? questions.slice(0, index) : questions}
      closeTo={closeTo}
      deleteTo={question ? url.href({ dialog: 'delete-question', question: question.id }) : null}
    />
  )
}
