import { useRef, type CSSProperties } from 'react'
import { Logo, useBrand } from '#app/ui/components/branding.tsx'
import { controlProps, Field, type FieldState } from '#app/ui/forms/field.tsx'
import { usePrehydrationValue } from '#app/ui/forms/use-prehydration-value.ts'

/** The subdomain, in front of the platform's host. */
export function SubdomainField({
  field,
  platformHost,
  onChange,
}: {
  field: FieldState
  platformHost: string
  onChange: (subdomain: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  usePrehydrationValue(input, onChange)
  return (
    <Field field={field}>
      <span className="flex">
        <input
          {...controlProps(field, 'hint')}
          ref={input}
          className="input min-w-0 !rounded-r-none"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <span
          className={`flex max-w-[60%] shrink-0 items-center rounded-r-md border border-l-0 border-line-strong
            bg-sunken px-3 text-ink-2`}
        >
          <span className="truncate">.{platformHost}</span>
        </span>
      </span>
      {!field.errors && (
        <p className="hint" id={`${field.id}-hint`}>
          3–40 lowercase letters, numbers or hyphens. Changing it takes effect immediately and breaks old links; the old
          address stays reserved for you for 90 days.
        </p>
      )}
    </Field>
  )
}

/** The logo, or what replaces a missing one, in the color that is being chosen. */
export function LogoTile({ name, logoUrl, color }: { name: string; logoUrl: string | null; color: string }) {
  const platformName = useBrand()?.platformName ?? null
  return (
    <span data-brand style={{ '--brand': color } as CSSProperties}>
      <Logo
        brand={{ name, logoUrl, platformName: name === platformName ? null : platformName }}
        className="!size-14 !min-w-14 !rounded-xl [&>span]:text-2xl"
      />
    </span>
  )
}

export function initialText(field: { initialValue?: unknown }): string {
  return typeof field.initialValue === 'string' ? field.initialValue : ''
}
