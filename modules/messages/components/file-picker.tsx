import { Button } from '#app/ui/components/button.tsx'
import { controlProps, FieldNote, type FieldState } from '#app/ui/forms/field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { maxAttachments } from '../fields.ts'
import type { FileChoices } from '../queries/attachments.ts'

type Props = {
  field: FieldState
  files: FileChoices
  /** The client's name. */
  client: string
  /** The input after a failure or a search. */
  submitted: Record<string, unknown> | undefined
  busy: boolean
}

/**
 * The files to attach to a message. The search is a button of the same form, so that without JavaScript, too, it keeps
 * what was typed and chosen.
 */
export function FilePicker({ field, files, client, submitted = {}, busy }: Props) {
  const { choices, isCut } = files
  const isFailedSearch = submitted.intent === 'find'
  const q = isFailedSearch ? String(submitted.files ?? '') : files.q
  const chosen = [submitted[field.name] ?? []].flat().map(String)
  // A failure lists the newest files again, without those that a search has found.
  const lost = chosen.filter((id) => !choices.some((choice) => String(choice.id) === id))
  const all = [
    ...lost.map((id) => ({ id, name: String(submitted[nameField(id)] ?? 'A resource'), details: '' })),
    ...choices,
  ]
  const hint = `At most ${maxAttachments}. Sending the message shares them with ${client}, who opens them in the portal.`
  const control = controlProps(field, hint)
  return (
    <details open={q !== '' || chosen.length > 0 || isFailedSearch || field.errors !== undefined || undefined}>
      <summary className="hit w-fit cursor-pointer text-ink-2">Attach resources</summary>
      <fieldset
        id={control.id}
        tabIndex={-1}
        aria-invalid={control['aria-invalid']}
        aria-describedby={control['aria-describedby']}
        className="field mt-2 grid gap-2 rounded-lg border border-line p-3"
      >
        <legend className="sr-only">Resources to attach</legend>
        <div className="flex gap-2">
          <input
            type="search"
            name="files"
            aria-label="Search resources"
            placeholder="Search your resources"
            defaultValue={q}
            maxLength={255}
            className="input min-w-0 flex-1"
          />
          <Button type="submit" name="intent" value="find" busy={busy}>
            Find
          </Button>
        </div>
        <p role="status" className="sr-only">
          {files.q && describeCount(files)}
        </p>
        {all.length > 0 && (
          <div className="grid max-h-60 gap-1 overflow-y-auto" tabIndex={0} role="group" aria-label="Resources">
            {all.map(({ id, name, details }) => (
              <label key={id} className="flex min-w-0 items-center gap-2.5 py-1">
                <input
                  type="checkbox"
                  name={field.name}
                  value={id}
                  className="check shrink-0"
                  defaultChecked={chosen.includes(String(id))}
                />
                <input type="hidden" name={nameField(id)} value={name} />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="shrink-0 text-sm text-ink-3">{details}</span>
              </label>
            ))}
          </div>
        )}
        {files.q && files.found === 0 && <p className="text-ink-2">No resource matches.</p>}
        {!files.q && !all.length && (
          <p className="text-ink-2">
            You have no resources for this client yet.{' '}
            <Link className="link" to="/resources">
              Add one under Resources
            </Link>
            .
          </p>
        )}
        {isCut && <p className="hint">These are the newest. Search for others.</p>}
        <FieldNote field={field} hint={hint} />
      </fieldset>
    </details>
  )
}

const nameField = (id: number | string): string => `file-${id}`

const describeCount = ({ found, isCut }: FileChoices): string =>
  isCut ? `More than ${found} resources found` : found === 1 ? '1 resource found' : `${found} resources found`
