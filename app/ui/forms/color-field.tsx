import { CircleCheck } from 'lucide-react'
import { useRef } from 'react'
import { defaultBrand, isColor } from '#app/lib/brand.ts'
import { controlProps, FieldNote, type FieldState } from './field.tsx'
import { usePrehydrationValue } from './use-prehydration-value.ts'

const swatches = ['#6366f1', '#0f766e', '#b45309', '#be123c', '#7a2e5d', '#1d4ed8', '#facc15', '#292524']

/** Swatches, a color picker and a hex value. Only the hex value is submitted. */
export function ColorField({
  field,
  color,
  onChange,
}: {
  field: FieldState
  color: string
  onChange: (color: string) => void
}) {
  const { defaultValue: _, ...attributes } = controlProps(field, 'hint')
  const hex = useRef<HTMLInputElement>(null)
  usePrehydrationValue(hex, onChange)
  return (
    <fieldset className="field">
      <legend className="label mb-1.5">Primary color</legend>
      <div className="flex flex-wrap items-center gap-1">
        <Swatches color={color} onChange={onChange} />
        <div className="flex items-center gap-1">
          <input
            type="color"
            aria-label="Pick a color"
            value={isColor(color) ? color : defaultBrand}
            onChange={(event) => onChange(event.currentTarget.value)}
            className="size-9 cursor-pointer rounded-md border border-line-mid bg-surface p-1"
          />
          <input
            {...attributes}
            ref={hex}
            aria-label="Hex value"
            className="input num !w-24"
            value={color}
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      </div>
      <FieldNote
        field={field}
        hint={
          isColor(color) && (
            <span className="flex items-start gap-1.5">
              <CircleCheck className="i mt-0.5 !size-3.5 text-success-text" />
              Easy to read. We adjust shades for links and dark mode.
            </span>
          )
        }
      />
    </fieldset>
  )
}

function Swatches({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  return swatches.map((swatch) => (
    <button
      key={swatch}
      type="button"
      aria-label={swatch}
      aria-pressed={color.toLowerCase() === swatch}
      onClick={() => onChange(swatch)}
      className={`grid size-9 place-items-center rounded-full ${
        color.toLowerCase() === swatch ? 'shadow-[inset_0_0_0_2px_var(--ink)]' : ''
      }`}
    >
      <span
        className="size-7 rounded-full shadow-[inset_0_0_0_1px_var(--line-strong)]"
        style={{ background: swatch }}
      />
    </button>
  ))
}
