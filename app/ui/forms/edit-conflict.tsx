import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import { diffFields, fieldHashes, toFieldText, type FieldValues } from '#app/lib/edit-conflict.ts'
import type { Fields } from '#app/lib/fields.ts'
import { Link } from '../navigation/link.tsx'
import { FormError } from './field.tsx'
import { markClean } from './dirty-forms.ts'
import type { FormField, ServerForm } from './use-server-form.ts'

/**
 * For an edit form that two tabs may save: the second one chooses between reloading the page and saving its own input.
 * Fields that the user left alone then show and keep the saved values. Put `key` on the form, `inputs` into it and
 * `notice` above its `fields`. `noun`: the record's label, such as 'product'. `current`: the saved version; null for a
 * new record.
 */
export function useEditConflict<F extends Record<string, FormField>>(
  { form, fields, submitted, busy }: Pick<ServerForm<Fields>, 'form' | 'submitted' | 'busy'> & { fields: F },
  { noun, current }: { noun: string; current: { version: number; values: { [N in keyof F]?: string } } | null },
) {
  const saved: FieldValues<string> = current?.values ?? {}
  const names = Object.keys(saved)
  const savedHashes = fieldHashes(names, saved)
  // The page may reload its data while the form is open.
  const [opened, setOpened] = useState({ version: current?.version, hashes: savedHashes })
  const [wasBusy, setWasBusy] = useState(busy)
  if (busy !== wasBusy) {
    setWasBusy(busy)
    // After its own save a form that stays open goes on with the saved version.
    if (!busy && !submitted) setOpened({ version: current?.version, hashes: savedHashes })
  }
  const submittedVersion = Number(submitted?.version) || 0
  const failure = current && findFailure(form, noun, submittedVersion > 0 && submittedVersion !== current.version)
  const hasConflict = failure === 'changed'
  const openedHashes = toFieldText(submitted?.was) || opened.hashes
  const hashes = hasConflict ? savedHashes : openedHashes
  // The notice comes before the saved version, which replaces the form.
  const isLoading = busy && submittedVersion === current?.version
  // Saving again after a conflict overwrites the saved version. A version with the same values is no conflict.
  const version = hashes === savedHashes ? current?.version : submittedVersion || opened.version
  return {
    hasConflict,
    /** Changes with the saved values, so that the form shows them. */
    key: hashes,
    fields: hasConflict ? withSavedValues(fields, openedHashes, submitted ?? {}, saved) : fields,
    inputs: current && (
      <>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="was" value={hashes} />
      </>
    ),
    notice: hasConflict ? (
      <ConflictNotice id={form.errorId} formId={form.props.id} noun={noun} isLoading={isLoading} />
    ) : failure === 'deleted' ? (
      <DeletedNotice id={form.errorId} subject={`This ${noun}`} />
    ) : (
      <FormError id={form.errorId} errors={form.errors} />
    ),
  }
}

/** Whether the submission failed because of another tab. */
function findFailure(
  { error }: ServerForm<Fields>['form'],
  noun: string,
  isOutdated: boolean,
): 'changed' | 'deleted' | null {
  const isAboutRecord = error?.subject === noun
  if (error?.code === 'conflict' && (isOutdated || isAboutRecord)) return 'changed'
  return error?.code === 'not_found' && isAboutRecord ? 'deleted' : null
}

/** The fields, with the saved values in those that the user left alone. */
function withSavedValues<F extends Record<string, FormField>>(
  fields: F,
  openedHashes: string,
  submitted: FieldValues<string>,
  saved: FieldValues<string>,
): F {
  const changed = diffFields(Object.keys(saved), openedHashes, submitted, saved)
    .filter(({ initialSide }) => initialSide === 'theirs')
    .map(({ name, theirs }) => [name, { ...fields[name], initialValue: theirs }])
  return { ...fields, ...Object.fromEntries(changed) }
}

type ConflictNoticeProps = { id: string; formId: string; noun: string; isLoading: boolean }

function ConflictNotice({ id, formId, noun, isLoading }: ConflictNoticeProps) {
  const { pathname, search } = useLocation()
  return (
    <Notice id={id} title={`This ${noun} was changed in another tab.`}>
      <div className="mt-2 flex flex-wrap gap-2">
        <a
          href={pathname + search}
          className="btn btn-secondary btn-sm"
          onClick={() => {
            const form = document.getElementById(formId)
            if (form instanceof HTMLFormElement) markClean(form)
          }}
        >
          Reload
        </a>
        <button type="submit" disabled={isLoading} className="btn btn-secondary btn-sm">
          Save mine
        </button>
      </div>
    </Notice>
  )
}

/** `subject`: 'This client'. */
export function DeletedNotice({ id, subject }: { id: string; subject: string }) {
  return (
    <Notice id={id} title={`${subject} was deleted.`}>
      <p className="mt-0.5 text-sm text-ink-2">
        Your changes are kept here.{' '}
        <Link to="/trash" target="_blank" className="link">
          Restore it from the trash
        </Link>
        , then save again.
      </p>
    </Notice>
  )
}

function Notice({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <div
      id={id}
      tabIndex={-1}
      role="alert"
      className="rounded-md bg-warning-soft px-4 py-3 text-ink shadow-[inset_0_0_0_1px_var(--warning-line)]"
    >
      <p className="font-semibold">{title}</p>
      {children}
    </div>
  )
}
