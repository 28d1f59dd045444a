import { useState, type InputHTMLAttributes, type ReactNode } from 'react'
import { controlProps, Field, type FieldState } from './field.tsx'
import { Eye, EyeOff } from '../components/icons.tsx'

/** A password field with a button that shows the password. */
export function PasswordField({
  field,
  label,
  hint,
  aside,
  className = '',
  ...input
}: {
  field: FieldState
  label: ReactNode
  hint?: ReactNode
  aside?: ReactNode
} & InputHTMLAttributes<HTMLInputElement>) {
  const [visible, setVisible] = useState(false)
  return (
    <Field field={field} label={label} hint={hint} aside={aside}>
      <span className="relative block">
        <input
          {...controlProps(field, hint)}
          {...input}
          type={visible ? 'text' : 'password'}
          className={`input pr-11 ${className}`}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-md text-ink-3 hover:text-ink"
          aria-label={visible ? 'Hide password' : 'Show password'}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <EyeOff className="i" /> : <Eye className="i" />}
        </button>
      </span>
    </Field>
  )
}
