import { forwardRef, type ButtonHTMLAttributes, type ComponentType, type ReactNode } from 'react'
import { Link, type LinkProps } from '../navigation/link.tsx'
import { Spinner } from './spinner.tsx'

export type Icon = ComponentType<{ className?: string }>
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost'
type Look = { variant?: ButtonVariant; size?: 'sm' | 'lg'; icon?: Icon; className?: string }

export type ButtonProps = Look & {
  /** Shows a spinner with `busyLabel`, keeps the width and refuses a second press. */
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
      className={classOf(variant, size, className)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busyLabel ? (
        <span className="btn-face">
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

/** A way to another place that looks like a button. */
export function ButtonLink({
  variant = 'secondary',
  size,
  icon: Icon,
  className,
  children,
  ...rest
}: Look & LinkProps) {
  return (
    <Link {...rest} className={classOf(variant, size, className)}>
      {Icon && <Icon className="i" />}
      {children}
    </Link>
  )
}

/** To who changed what of a record; `kind` as in addresses: 'client'. */
export function HistoryLink({ kind, id }: { kind: string; id: number }) {
  return (
    <ButtonLink to={`/history/${kind}/${id}`} variant="ghost">
      History
    </ButtonLink>
  )
}

/** A button that is only an icon; `label` is its name. */
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
      className={classOf(variant, size, `btn-icon ${className}`)}
    >
      <Icon className={`i ${iconClass}`} />
    </button>
  )
})

type HeadLink = { icon: Icon; children: ReactNode } & LinkProps

/** The one primary action of a screen: on phones its icon alone, with its name kept for screen readers. */
export function PrimaryLink(props: HeadLink) {
  return <HeadLink variant="primary" {...props} />
}

/** Another action at the head of a screen, as `PrimaryLink`. */
export function SecondaryLink(props: HeadLink) {
  return <HeadLink variant="secondary" {...props} />
}

function HeadLink({ variant, icon: Icon, children, ...rest }: HeadLink & { variant: ButtonVariant }) {
  return (
    <Link {...rest} className={classOf(variant, undefined, 'max-sm:!w-11 max-sm:!px-0')}>
      <Icon className="i max-sm:!size-5" />
      <span className="max-sm:sr-only">{children}</span>
    </Link>
  )
}

function classOf(variant: ButtonVariant, size: string | undefined, more = ''): string {
  return `btn btn-${variant}${size ? ` btn-${size}` : ''}${more ? ` ${more}` : ''}`
}
