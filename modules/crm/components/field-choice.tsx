import { FieldNote } from '#app/ui/forms/field.tsx'
import type { FormField } from '#app/ui/forms/use-server-form.ts'

type Values = { kept: string; merged: string; isJoinable: boolean }

/** Chooses which of two values of a field stays, or both. */
export function FieldChoice({ field, values: { kept, merged, isJoinable } }: { field: FormField; values: Values }) {
  return (
    <fieldset className="px-5 py-3">
      <legend className="float-left w-full text-sm font-medium">{field.label}</legend>
      <div className="clear-both grid gap-x-5 gap-y-2 pt-1 sm:grid-cols-2">
        <Choice field={field} source="kept" text={kept} />
        <Choice field={field} source="merged" text={merged} />
        {isJoinable && <Choice field={field} source="both" text="Both" />}
      </div>
      <FieldNote field={field} />
    </fieldset>
  )
}

const maxLabel = 240

function Choice({ field, source, text }: { field: FormField; source: string; text: string }) {
  const id = `${field.id}-${source}`
  const characters = [...text]
  const isLong = characters.length > maxLabel
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <input
        id={id}
        type="radio"
        name={field.name}
        value={source}
        defaultChecked={field.initialValue === source}
        className="mt-1 shrink-0 accent-(--brand-edge)"
      />
      <div className="min-w-0 whitespace-pre-wrap wrap-anywhere">
        <label htmlFor={id} className={text ? '' : 'text-ink-3'}>
          {isLong ? `${characters.slice(0, maxLabel).join('').trimEnd()}…` : text || 'empty'}
        </label>
        {isLong && (
          <details className="mt-1">
            <summary className="link hit w-fit cursor-pointer text-sm">Show all</summary>
            <p className="mt-1">{text}</p>
          </details>
        )}
      </div>
    </div>
  )
}
