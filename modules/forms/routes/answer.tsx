import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { AppError } from '#app/lib/errors.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { readAnswersForm, requireFormLink, toFailure, type SentForm } from '../answering/answering.server.ts'
import { countSave } from '../answering/limits.ts'
import { findDifferences, loadAnswering, type AnsweringData } from '../answering/load-answering.server.ts'
import { PageScript } from '../answering/page-script.tsx'
import { AnswerList } from '../components/answer-list.tsx'
import { FormQuestions } from '../components/form-questions.tsx'
import { limits, type Question } from '../fields.ts'
import { removeAnswerFile, saveAnswers, submitAnswers } from '../services/answering.ts'

/** Plain HTML: a client's phone loads no scripts but `PageScript`. */
export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data: loaded }) => [
  ...pageTitle(matches, loaded?.form?.name ?? 'Form'),
  { name: 'robots', content: 'noindex' },
]

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const form = await loadAnswering(context, params.token ?? '')
  const { searchParams } = new URL(request.url)
  const notice = { problem: searchParams.get('problem'), isSaved: searchParams.has('saved') }
  return data({ form, ...notice }, { status: form ? 200 : 404 })
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const token = params.token ?? ''
  const link = await requireFormLink(context, token)
  const { ctx, id } = link
  countSave(link, context.requestContext.address)
  const form = await readAnswersForm(request)
  const page = `/form/${token}`
  try {
    if (form.intent === 'remove-file') await ctx.write((tx) => removeAnswerFile(tx, id, form.question))
    else if (form.intent === 'submit') await submitAnswers(ctx, id, form)
    else if (form.intent === 'save') await saveAnswers(ctx, id, form)
    else throw new AppError('bad_request', 'Unknown form.')
    return redirect(form.intent === 'save' ? `${page}?saved` : page, 303)
  } catch (thrown) {
    const error = toFailure(context, thrown)
    const loaded = await loadAnswering(context, token)
    return data(showFailure(error, form, loaded), { status: error.status })
  }
}

/**
 * The page keeps what was typed, and shows why it isn't saved. It keeps the version that it had, unless the answers of
 * another device are shown or there are none: otherwise the next save would replace them unseen.
 */
function showFailure(error: AppError, { intent, version, sent }: SentForm, loaded: AnsweringData | null) {
  const isConflict = error.subject === 'answers'
  // The form that removes a file has no answers.
  const hasAnswers = intent !== 'remove-file'
  const differences = loaded ? findDifferences(loaded, sent) : {}
  const isKept = isConflict || Object.keys(differences).length === 0
  const errors = Object.fromEntries((error.issues ?? []).map(({ path, message }) => [path.replace(/^q-/, ''), message]))
  return {
    ...(hasAnswers ? { values: { ...sent } } : {}),
    ...(hasAnswers && !isKept ? { version } : {}),
    errors,
    message: Object.keys(errors).length
      ? 'Some answers need your attention. The others are below as you wrote them.'
      : error.message,
    isConflict,
    others: isConflict ? differences : {},
  }
}

export default function AnswerPage() {
  const { form, problem, isSaved } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-8 sm:pt-14">
      {form === null ? (
        <Ended />
      ) : form.state === 'expired' ? (
        <Expired {...form} />
      ) : form.state === 'submitted' ? (
        <Submitted {...form} />
      ) : (
        <Open form={form} problem={problem} isSaved={isSaved} />
      )}
    </div>
  )
}

const Ended = () => (
  <>
    <h1 className="font-serif text-4xl text-balance">This link doesn’t work any more</h1>
    <p className="mt-3 text-ink-2">
      The form was withdrawn, or the link is incomplete. Open it from the email again, or ask the person who sent it.
    </p>
  </>
)

function Expired({ name, coach, hasBegun }: AnsweringData) {
  return (
    <>
      <h1 className="font-serif text-4xl text-balance wrap-anywhere">{name}</h1>
      <p className="mt-3 text-ink-2">
        This link has expired. {hasBegun && 'What you have written is kept. '}
        {coach.name} can send it to you again.
      </p>
      <WriteTo coach={coach} />
    </>
  )
}

function Submitted({ name, coach, questions, answers, files, submittedAt }: AnsweringData) {
  return (
    <>
      <h1 className="font-serif text-4xl text-balance wrap-anywhere">{name}</h1>
      <p className="mt-3 text-ink-2" role="status">
        Thank you. {coach.name} has your answers since {submittedAt}.
      </p>
      <div className="mt-8 rounded-2xl border border-line p-6">
        <AnswerList questions={questions} answers={answers} files={files} />
      </div>
      <WriteTo coach={coach} />
    </>
  )
}

const problems: Record<string, string> = {
  large: `This file is too large. Choose one of at most ${limits.fileBytes / 1024 ** 2} MB.`,
  empty: 'Choose a file that is not empty.',
  failed: 'The file could not be kept. Please try again later.',
}

function Open({ form, problem, isSaved }: { form: AnsweringData; problem: string | null; isSaved: boolean }) {
  const failure = useActionData<typeof action>()
  const { path, version, formVersionId, name, description, questions, files, coach, nonce, hasBegun } = form
  const message = failure?.message ?? (problem ? problems[problem] : undefined)
  return (
    <>
      <p className="text-ink-3">{coach.name} asks you</p>
      <h1 className="mt-2 font-serif text-4xl text-balance wrap-anywhere">{name}</h1>
      {description && <p className="mt-3 text-ink-2 whitespace-pre-line wrap-anywhere">{description}</p>}
      {hasBegun && !failure && <p className="mt-3 text-ink-2">You have begun this form. Go on where you stopped.</p>}
      <div className="mt-6">
        <FormError errors={message ? [message] : undefined} />
        {failure?.isConflict && (
          <p className="note mt-3">
            What you typed is below and not saved yet. Saving or sending it now replaces the answers of the other
            device, which are shown beside yours.
          </p>
        )}
      </div>
      <form
        id="answers"
        method="post"
        action={path}
        noValidate
        className="mt-6 grid gap-6"
        data-questions={JSON.stringify(questions.map(toScriptQuestion))}
      >
        <input type="hidden" name="version" value={failure?.version ?? version} />
        <input type="hidden" name="formVersionId" value={formVersionId} />
        <FormQuestions
          questions={questions}
          values={failure?.values ?? form.values}
          errors={failure?.errors ?? {}}
          others={failure?.others ?? {}}
          showsConditions
          renderFile={({ id }) => <FileControl id={id} file={files.find((one) => one.question === id)} />}
        />
        <div className="flex flex-wrap items-center gap-3">
          <button type="submit" name="intent" value="submit" className="btn btn-primary btn-lg max-sm:w-full">
            Send answers
          </button>
          <button type="submit" name="intent" value="save" className="btn btn-secondary btn-lg max-sm:w-full">
            Save and continue later
          </button>
          <p id="save-state" role="status" className="text-sm text-ink-3">
            {isSaved && !failure ? 'All answers are saved. Open the link again to go on, on any device.' : ''}
          </p>
        </div>
      </form>
      {questions.map(({ id, kind }) => kind === 'file' && <FileForms key={id} id={id} form={form} />)}
      <WriteTo coach={coach} />
      <PageScript nonce={nonce} />
    </>
  )
}

const toScriptQuestion = ({ id, kind, condition, multiple }: Question) => ({ id, kind, condition, multiple })

/** Its inputs belong to forms of their own, below the answers. */
function FileControl({ id, file }: { id: string; file: { fileName: string } | undefined }) {
  return (
    <div className="grid gap-2" id={`q-${id}`}>
      {file && (
        <p className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 wrap-anywhere">{file.fileName}</span>
          <button type="submit" form={`remove-${id}`} className="btn btn-ghost btn-sm">
            Remove
          </button>
        </p>
      )}
      <input
        type="file"
        name="file"
        form={`file-${id}`}
        className="input"
        aria-label={file ? 'Another file' : 'File'}
      />
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" form={`file-${id}`} className="btn btn-secondary">
          Upload
        </button>
        <noscript>
          <span className="hint">Save your answers first: uploading loads this page again.</span>
        </noscript>
      </div>
    </div>
  )
}

function FileForms({ id, form: { path, version, formVersionId } }: { id: string; form: AnsweringData }) {
  return (
    <>
      {/* The fields come before the file, which is read as it arrives. */}
      <form id={`file-${id}`} method="post" action={`${path}/file`} encType="multipart/form-data" hidden>
        <input type="hidden" name="question" value={id} />
        <input type="hidden" name="formVersionId" value={formVersionId} />
      </form>
      <form id={`remove-${id}`} method="post" action={path} hidden>
        <input type="hidden" name="intent" value="remove-file" />
        <input type="hidden" name="question" value={id} />
        <input type="hidden" name="version" value={version} />
      </form>
    </>
  )
}

const WriteTo = ({ coach }: { coach: { name: string; email: string } }) => (
  <p className="mt-8 text-ink-3">
    Questions?{' '}
    <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
      Write to {coach.name}
    </a>
  </p>
)
