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

function Choice({ field, source, text }: { field: FormField; source: string; text: string }) {
  const id = `${field.id}-${source}`
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
      <label
        htmlFor={id}
        className={`max-h-40 min-w-0 overflow-y-auto whitespace-pre-wrap wrap-anywhere ${text ? '' : 'text-ink-3'}`}
      >
        {text || 'empty'}
      </label>
    </div>
  )
}
