import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import type { Fields } from '#app/lib/fields.ts'
import { Link } from '../navigation/link.tsx'
import { FormError } from './field.tsx'
import { markClean } from './dirty-forms.ts'
import type { ServerForm } from './use-server-form.ts'

/**
 * For an edit form that two tabs may save: the second one chooses between reloading the page and saving its own input.
 * Put `inputs` into the form and `notice` above its fields. `noun`: the record's label, such as 'product'. `current`: the
 * saved version; null for a new record.
 */
export function useEditConflict<F extends Fields>(
  { form, submitted }: ServerForm<F>,
  { noun, current }: { noun: string; current: { version: number } | null },
) {
  // The page may reload its data while the form is open.
  const [openedVersion] = useState(current?.version)
  const submittedVersion = Number(submitted?.version) || 0
  const isOutdated = current !== null && submittedVersion > 0 && submittedVersion !== current.version
  const isAboutRecord = current !== null && form.error?.subject === noun
  const hasConflict = form.error?.code === 'conflict' && (isOutdated || isAboutRecord)
  const isDeleted = form.error?.code === 'not_found' && isAboutRecord
  // Saving again after a conflict overwrites the saved version.
  const version = hasConflict ? current?.version : submittedVersion || openedVersion
  return {
    inputs: current && <input type="hidden" name="version" value={version} />,
    notice: hasConflict ? (
      <ConflictNotice id={form.errorId} formId={form.props.id} noun={noun} />
    ) : isDeleted ? (
      <DeletedNotice id={form.errorId} subject={`This ${noun}`} />
    ) : (
      <FormError id={form.errorId} errors={form.errors} />
    ),
  }
}

function ConflictNotice({ id, formId, noun }: { id: string; formId: string; noun: string }) {
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
        <button type="submit" className="btn btn-secondary btn-sm">
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
