import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { CircleAlert } from '../components/icons.tsx'

/** The state of a form field. conform's FieldMetadata is compatible. */
export type FieldState = {
  id: string
  name: string
  key?: string | undefined
  label?: string | undefined
  choices?: Choice[] | undefined
  errors?: string[] | undefined
  initialValue?: unknown
  required?: boolean | undefined
  maxLength?: number | undefined
}

type FieldLayout = {
  field: FieldState
  /** By default the field's own label. */
  label?: ReactNode
  /** A short sentence below the field, replaced by an error. */
  hint?: ReactNode
  /** Shown at the right end of the label's line, such as a link. */
  aside?: ReactNode
  fieldClass?: string
}

type ControlProps<Attributes> = FieldLayout & Omit<Attributes, 'name' | 'id'>

export function TextField(props: ControlProps<InputHTMLAttributes<HTMLInputElement>>) {
  const { layout, control } = splitProps(props)
  return (
    <Field {...layout}>
      {/* Without a default value, React sets one at each render, which clears a date that is half typed. */}
      <input {...control} defaultValue={control.defaultValue ?? ''} />
    </Field>
  )
}

export function TextAreaField(props: ControlProps<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { layout, control } = splitProps(props)
  return (
    <Field {...layout}>
      <textarea rows={3} {...control} />
    </Field>
  )
}

export type Choice = { value: string; label: string }
type ChoiceGroup = { label: string; choices: Choice[] }

export function SelectField({
  choices,
  children,
  className = '',
  ...props
}: ControlProps<SelectHTMLAttributes<HTMLSelectElement>> & { choices?: (Choice | ChoiceGroup)[] }) {
  const { layout, control } = splitProps({ ...props, className: `select ${className}` })
  return (
    <Field {...layout}>
      <select {...control}>
        {children}
        {(choices ?? props.field.choices)?.map((choice) =>
          'choices' in choice ? (
            <optgroup key={choice.label} label={choice.label}>
              {choice.choices.map(renderOption)}
            </optgroup>
          ) : (
            renderOption(choice)
          ),
        )}
      </select>
    </Field>
  )
}

/** What `Field` shows around the control, and the attributes of the control. */
function splitProps<Attributes extends { className?: string | undefined }>({
  field,
  label,
  hint,
  aside,
  fieldClass,
  ...attributes
}: FieldLayout & Attributes) {
  const className = `input ${attributes.className ?? ''}`
  return {
    layout: { field, label, hint, aside, fieldClass },
    control: { ...controlProps(field, hint), ...attributes, className },
  }
}

/** Label above, hint or error below, connected for screen readers. For other controls than the three above. */
export function Field({ field, label, hint, aside, fieldClass = '', children }: FieldLayout & { children: ReactNode }) {
  return (
    <div className={`field relative ${fieldClass}`}>
      <label className="label" htmlFor={field.id}>
        {label ?? field.label}
      </label>
      {children}
      <FieldNote field={field} hint={hint} />
      {/* After the control in the DOM, so that Tab moves from field to field. */}
      {aside && <span className="absolute right-0 top-0">{aside}</span>}
    </div>
  )
}

export function FieldNote({ field, hint }: { field: FieldState; hint?: ReactNode }) {
  if (field.errors?.length) return <FieldError id={`${field.id}-error`}>{field.errors[0]}</FieldError>
  return hint ? (
    <p className="hint" id={`${field.id}-hint`}>
      {hint}
    </p>
  ) : null
}

function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="error" id={id}>
      <CircleAlert className="i size-3.5" />
      {children}
    </p>
  )
}

/** The error of a whole form, above its fields. */
export function FormError({ id, errors }: { id?: string; errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <p
      id={id}
      tabIndex={-1}
      className={[
        'flex gap-2.5 rounded-md bg-danger-soft px-3.5 py-2.5 text-danger-text',
        'shadow-[inset_0_0_0_1px_var(--danger-line)]',
      ].join(' ')}
    >
      <CircleAlert className="i mt-0.5" />
      {errors[0]}
    </p>
  )
}

/** The attributes that connect a control to its field, including its initial value and its error. */
export function controlProps(field: FieldState, hint?: ReactNode) {
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

function renderOption({ value, label }: Choice) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  )
}
