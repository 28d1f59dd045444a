import { forwardRef, type ButtonHTMLAttributes, type ComponentType, type ReactNode } from 'react'
import { Link, type LinkProps } from '../navigation/link.tsx'
import { Spinner } from './spinner.tsx'

export type Icon = ComponentType<{ className?: string }>
type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost'
type ButtonStyle = { variant?: ButtonVariant; size?: 'sm' | 'lg'; icon?: Icon; className?: string }

type ButtonProps = ButtonStyle & {
  /** Shows a spinner with `busyLabel`, keeps the width and ignores clicks. */
  busy?: boolean
  busyLabel?: string
} & ButtonHTMLAttributes<HTMLButtonElement>

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  {
    variant = 'secondary',
    size,
    icon: Icon,
    className,
    busy = false,
    busyLabel,
    children,
    type = 'button',
    onClick,
    ...rest
  },
  ref,
) {
  return (
    <button
      {...rest}
      ref={ref}
      type={type}
      className={buttonClass(variant, size, className)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busyLabel ? (
        <span className="btn-content">
          <span aria-hidden={busy || undefined}>
            {Icon && <Icon className="i" />}
            {children}
          </span>
          <span aria-hidden={!busy || undefined}>
            <Spinner />
            {busyLabel}
          </span>
        </span>
      ) : (
        <>
          {busy ? <Spinner /> : Icon && <Icon className="i" />}
          {children}
        </>
      )}
    </button>
  )
})

/** A link that looks like a button. */
export function ButtonLink({
  variant = 'secondary',
  size,
  icon: Icon,
  className,
  children,
  ...rest
}: ButtonStyle & LinkProps) {
  return (
    <Link {...rest} className={buttonClass(variant, size, className)}>
      {Icon && <Icon className="i" />}
      {children}
    </Link>
  )
}

/** A link to the history of a record. `kind` as in URLs: 'client'. */
export function HistoryLink({ kind, id }: { kind: string; id: number }) {
  return (
    <ButtonLink to={`/history/${kind}/${id}`} variant="ghost">
      History
    </ButtonLink>
  )
}

/** A button that shows only an icon. `label` is its accessible name. */
export const IconButton = forwardRef<
  HTMLButtonElement,
  {
    label: string
    icon: Icon
    iconClass?: string
    variant?: ButtonVariant
    size?: 'sm'
  } & ButtonHTMLAttributes<HTMLButtonElement>
>(function IconButton(
  { label, icon: Icon, iconClass = '', variant = 'ghost', size, className = '', type = 'button', ...rest },
  ref,
) {
  return (
    <button
      {...rest}
      ref={ref}
      type={type}
      aria-label={label}
      className={buttonClass(variant, size, `btn-icon ${className}`)}
    >
      <Icon className={`i ${iconClass}`} />
    </button>
  )
})

type HeaderLink = { icon: Icon; children: ReactNode } & Omit<LinkProps, 'className'>

/** The primary action in a page header. On phones it shows only the icon. */
export function PrimaryLink(props: HeaderLink) {
  return <HeaderLink variant="primary" {...props} />
}

/** A secondary action in a page header, see `PrimaryLink`. */
export function SecondaryLink(props: HeaderLink) {
  return <HeaderLink variant="secondary" {...props} />
}

function HeaderLink({ variant, icon: Icon, children, ...rest }: HeaderLink & { variant: ButtonVariant }) {
  return (
    <Link {...rest} className={buttonClass(variant, undefined, 'max-sm:!w-11 max-sm:!px-0')}>
      <Icon className="i max-sm:!size-5" />
      <span className="max-sm:sr-only">{children}</span>
    </Link>
  )
}

/** The classes of a button, for other elements. */
export function buttonClass(variant: ButtonVariant, size?: string | undefined, more = ''): string {
  return `btn btn-${variant}${size ? ` btn-${size}` : ''}${more ? ` ${more}` : ''}`
}
