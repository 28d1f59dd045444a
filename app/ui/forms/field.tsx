import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { CircleAlert } from '../components/icons.tsx'

/** What a control knows of its field: a conform FieldMetadata fits. */
export type FieldLike = {
  id: string
  name: string
  key?: string | undefined
  /** Of a field that a table of fields describes. */
  label?: string | undefined
  choices?: Choice[] | undefined
  errors?: string[] | undefined
  initialValue?: unknown
  required?: boolean | undefined
  maxLength?: number | undefined
}

type Common = {
  field: FieldLike
  /** Left out: the field's own. */
  label?: ReactNode
  /** One short sentence below, replaced by the error when there is one. */
  hint?: ReactNode
  /** Stands at the right end of the label's line, such as a link. */
  aside?: ReactNode
  fieldClass?: string
}

export function TextField({
  field,
  label,
  hint,
  aside,
  fieldClass,
  className = '',
  ...input
}: Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'>) {
  return (
    <Field field={field} label={label} hint={hint} aside={aside} fieldClass={fieldClass}>
      <input {...control(field, hint)} {...input} className={`input ${className}`} />
    </Field>
  )
}

export function TextAreaField({
  field,
  label,
  hint,
  aside,
  fieldClass,
  className = '',
  ...input
}: Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id'>) {
  return (
    <Field field={field} label={label} hint={hint} aside={aside} fieldClass={fieldClass}>
      <textarea rows={3} {...control(field, hint)} {...input} className={`input ${className}`} />
    </Field>
  )
}

export type Choice = { value: string; label: string }
export type ChoiceGroup = { label: string; choices: Choice[] }

export function SelectField({
  field,
  label,
  hint,
  aside,
  fieldClass,
  className = '',
  choices,
  children,
  ...input
}: Common & { choices?: (Choice | ChoiceGroup)[] } & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id'>) {
  return (
    <Field field={field} label={label} hint={hint} aside={aside} fieldClass={fieldClass}>
      <select {...control(field, hint)} {...input} className={`input select ${className}`}>
        {children}
        {(choices ?? field.choices)?.map((choice) =>
          'choices' in choice ? (
            <optgroup key={choice.label} label={choice.label}>
              {choice.choices.map(option)}
            </optgroup>
          ) : (
            option(choice)
          ),
        )}
      </select>
    </Field>
  )
}

/** Label above, hint or error below, wired for screen readers; for controls that aren't one of the three above. */
export function Field({ field, label, hint, aside, fieldClass = '', children }: Common & { children: ReactNode }) {
  return (
    <div className={`field relative ${fieldClass}`}>
      <label className="label" htmlFor={field.id}>
        {label ?? field.label}
      </label>
      {children}
      <FieldNote field={field} hint={hint} />
      {/* After the control, so that Tab goes from field to field. */}
      {aside && <span className="absolute right-0 top-0">{aside}</span>}
    </div>
  )
}

export function FieldNote({ field, hint }: { field: FieldLike; hint?: ReactNode }) {
  if (field.errors?.length) return <FieldError id={`${field.id}-error`}>{field.errors[0]}</FieldError>
  return hint ? (
    <p className="hint" id={`${field.id}-hint`}>
      {hint}
    </p>
  ) : null
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="error" id={id}>
      <CircleAlert className="i size-3.5" />
      {children}
    </p>
  )
}

/** What is wrong with a form as a whole, above its fields. */
export function FormError({ id, errors }: { id?: string; errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <p
      id={id}
      tabIndex={-1}
      className="flex gap-2.5 rounded-md bg-danger-soft px-3.5 py-2.5 text-danger-text shadow-[inset_0_0_0_1px_var(--danger-line)]"
    >
      <CircleAlert className="i mt-0.5" />
      {errors[0]}
    </p>
  )
}

/** The attributes that tie any control to its field: name, id, what it held, what is wrong with it. */
export function control(field: FieldLike, hint?: ReactNode) {
  const invalid = Boolean(field.errors?.length)
  return {
    id: field.id,
    name: field.name,
    'aria-required': field.required,
    maxLength: field.maxLength,
    defaultValue: typeof field.initialValue === 'string' ? field.initialValue : undefined,
    'aria-invalid': invalid || undefined,
    'aria-describedby': invalid ? `${field.id}-error` : hint ? `${field.id}-hint` : undefined,
  }
}

function option({ value, label }: Choice) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  )
}
