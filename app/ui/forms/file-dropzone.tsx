import { ArrowDownToLine, FileText, Upload } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { controlProps, FieldNote, type FieldState } from './field.tsx'

/** A file input with drag and drop. It is a native input, so it works without JavaScript. */
export function FileDropzone({
  field,
  label,
  hint,
  accept,
  onSelect,
}: {
  field: FieldState
  label: string
  /** The accepted files, such as 'CSV, up to 5 MB'. */
  hint: string
  accept?: string
  onSelect?: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  const [name, setName] = useState<string | null>(null)

  function selectFile(file: File | undefined) {
    setName(file?.name ?? null)
    if (file) onSelect?.(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setDragOver(false)
    if (!input.current || !event.dataTransfer.files.length) return
    input.current.files = event.dataTransfer.files
    selectFile(input.current.files?.[0])
  }

  const { defaultValue: _, ...attributes } = controlProps(field, hint)
  return (
    <div className="field">
      <label
        className={[
          'dropzone relative cursor-pointer',
          'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand-edge',
          isDragOver ? 'is-over' : '',
        ].join(' ')}
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={drop}
      >
        <input
          {...attributes}
          ref={input}
          type="file"
          accept={accept}
          aria-label={label}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => selectFile(event.currentTarget.files?.[0])}
        />
        {isDragOver ? (
          <ArrowDownToLine className="i !size-5" />
        ) : name ? (
          <FileText className="i !size-5" />
        ) : (
          <Upload className="i !size-5" />
        )}
        {isDragOver ? (
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
