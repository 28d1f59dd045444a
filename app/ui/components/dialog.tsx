import { useNavigate } from '@remix-run/react'
import { X } from 'lucide-react'
import { createContext, useContext, useId, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react'
import { Button } from './button.tsx'
import { enterTypeahead } from './dialog-typeahead.ts'
import { removeModal, pushModal } from './modal-stack.ts'
import { Link } from '../navigation/link.tsx'
import { stepsBackTo } from '../navigation/navigation-history.ts'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import { isDirty } from '../forms/dirty-forms.ts'

type CloseTarget =
  | {
      /** The URL without the dialog, so that closing works without JavaScript. */
      closeTo: string
      onClose?: undefined
    }
  | { closeTo?: undefined; onClose: () => void }

type DialogProps = CloseTarget & {
  title: ReactNode
  children: ReactNode
  /**
   * `top`: near the top edge, for search. `side`: a sheet at the right edge. `beside`: next to the element with the
   * `anchor-name` --dialog-anchor if there is one and the screen is large.
   */
  position?: 'center' | 'top' | 'side' | 'beside'
  /** Shows `title` only to screen readers, and no close button. */
  hideTitle?: boolean
  /** For a question that the user must answer. */
  role?: 'alertdialog'
  className?: string
}

/**
 * A native dialog, open as long as it is rendered. The server renders it open; JavaScript makes it modal: the page
 * behind is inert and doesn't scroll, Escape and a click outside close it, and focus returns to the trigger. The
 * initial focus is the element with `data-autofocus`, by default the first field.
 */
export function Dialog({
  title,
  children,
  position = 'center',
  hideTitle = false,
  role,
  className = '',
  closeTo,
  onClose,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedBackdrop = useRef(false)
  const titleId = useId()
  const goBack = useCloseNavigation(closeTo ?? '.')
  const close = onClose ?? goBack

  useModal(element)

  return (
    <DialogContext.Provider value={{ closeTo, close }}>
      <dialog
        ref={element}
        open
        role={role}
        className={`dialog-layer${position === 'center' ? '' : ` is-${position}`}`}
        aria-labelledby={titleId}
        aria-modal="true"
        onCancel={(event: SyntheticEvent) => {
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          close()
        }}
        onPointerDown={(event) => {
          pressedBackdrop.current = event.target === event.currentTarget
        }}
        onClick={(event: MouseEvent<HTMLDialogElement>) => {
          if (event.target === event.currentTarget && pressedBackdrop.current && !isDirty(event.currentTarget)) close()
        }}
      >
        <div className={`dialog ${className}`}>
          {hideTitle ? (
            <h2 id={titleId} className="sr-only">
              {title}
            </h2>
          ) : (
            <div className="flex items-start gap-3 px-5 pb-1 pt-5 sm:px-6">
              <h2 id={titleId} className="min-w-0 flex-1 font-serif text-xl wrap-anywhere">
                {title}
              </h2>
              <DialogClose label="Close" className="btn btn-ghost btn-sm btn-icon dialog-close">
                <X className="i" />
              </DialogClose>
            </div>
          )}
          {children}
        </div>
      </dialog>
    </DialogContext.Provider>
  )
}

const DialogContext = createContext<{ closeTo: string | undefined; close: () => void }>({
  closeTo: undefined,
  close: () => {},
})

/**
 * Whether the component is in a dialog that has a URL. Links from there to another dialog replace the history entry.
 */
export function useInDialog(): boolean {
  return useContext(DialogContext).closeTo !== undefined
}

/** A button that closes the dialog around it. */
export function DialogClose({
  children = 'Cancel',
  label,
  className = 'btn btn-secondary',
  takesFocus,
}: {
  children?: ReactNode
  label?: string
  className?: string
  /** Has the initial focus. */
  takesFocus?: boolean
}) {
  const { closeTo, close } = useContext(DialogContext)
  const common = { 'aria-label': label, className, 'data-autofocus': takesFocus || undefined }
  if (closeTo === undefined) {
    return (
      <button type="button" {...common} onClick={close}>
        {children}
      </button>
    )
  }
  return (
    <Link
      {...common}
      to={closeTo}
      replace
      preventScrollReset
      onClick={(event) => {
        if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        close()
      }}
    >
      {children}
    </Link>
  )
}

/** The buttons at the end of a `DialogBody`. They stay visible while it scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}

/** The buttons of a dialog's form: `aside`, Cancel and Submit. If `danger`, Cancel has the initial focus. */
export function DialogSubmit({
  children,
  busy,
  busyLabel = 'Saving...',
  danger = false,
  aside,
}: {
  children: ReactNode
  busy: boolean
  busyLabel?: string
  danger?: boolean
  aside?: ReactNode
}) {
  return (
    <DialogActions>
      {aside && <span className="mr-auto flex items-center gap-2">{aside}</span>}
      <DialogClose takesFocus={danger} />
      <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
    </DialogActions>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="dialog-body">{children}</div>
}

/**
 * Closes a dialog that has a URL without leaving it in the history: goes back to the page that it was opened from, or
 * replaces the history entry.
 */
function useCloseNavigation(closeTo: string): () => void {
  const navigate = useNavigate()
  const isNavigating = useRef(false)
  return () => {
    const steps = stepsBackTo(closeTo)
    if (!steps) return navigate(closeTo, { replace: true, preventScrollReset: true })
    // Going back is asynchronous: ignore further clicks until it is done.
    if (isNavigating.current) return
    isNavigating.current = true
    window.addEventListener('popstate', () => (isNavigating.current = false), { once: true })
    navigate(-steps)
  }
}

function useModal(element: React.RefObject<HTMLDialogElement | null>) {
  useIsomorphicLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const previousFocus = document.activeElement
    // Keep the focus of a user who started typing before hydration.
    const focusInside = previousFocus instanceof HTMLElement && dialog.contains(previousFocus) ? previousFocus : null
    dialog.removeAttribute('open')
    dialog.showModal()
    ;(focusInside ?? findInitialFocus(dialog))?.focus()
    enterTypeahead(document.activeElement)
    pushModal(dialog)
    return () => {
      removeModal(dialog)
      dialog.close()
      // If the dialog came with the page, there is no trigger to return the focus to.
      if (focusInside || previousFocus === document.body || !previousFocus?.isConnected)
        document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [element])
}

function findInitialFocus(dialog: HTMLElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog.querySelector<HTMLElement>(
      'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)',
    )
  )
}
