import { ArrowDownToLine, FileText, Upload } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { control, FieldNote, type FieldLike } from './field.tsx'

/** A file input that can also be dropped upon. It is a real input of the form around it, so it works before scripts. */
export function DropZone({
  field,
  label,
  hint,
  accept,
  onChoose,
}: {
  field: FieldLike
  label: string
  /** What is accepted, such as 'CSV, up to 5 MB'. */
  hint: string
  accept?: string
  onChoose?: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [name, setName] = useState<string | null>(null)

  function take(file: File | undefined) {
    setName(file?.name ?? null)
    if (file) onChoose?.(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    if (!input.current || !event.dataTransfer.files.length) return
    input.current.files = event.dataTransfer.files
    take(input.current.files?.[0])
  }

  const { defaultValue: _, ...attributes } = control(field, hint)
  return (
    <div className="field">
      <label
        className={`dropzone relative cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand-edge${over ? ' is-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          {...attributes}
          ref={input}
          type="file"
          accept={accept}
          aria-label={label}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
        {over ? (
          <ArrowDownToLine className="i !size-5" />
        ) : name ? (
          <FileText className="i !size-5" />
        ) : (
          <Upload className="i !size-5" />
        )}
        {over ? (
          <span className="font-medium">Drop to upload</span>
        ) : name ? (
          <span className="font-medium text-ink wrap-anywhere">{name}</span>
        ) : (
          <span className="text-ink">
            <span className="link">Choose a file</span> or drop it
          </span>
        )}
        {!field.errors?.length && (
          <span className="text-sm" id={`${field.id}-hint`}>
            {hint}
          </span>
        )}
      </label>
      <FieldNote field={field} />
    </div>
  )
}
