import { Link, useNavigate } from '@remix-run/react'
import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react'
import { closed, opened } from './layers.ts'

type Closing =
  | {
      /** The address without the dialog: closing works before scripts have loaded. */
      closeTo: string
      onClose?: undefined
    }
  | { closeTo?: undefined; onClose: () => void }

export type DialogProps = Closing & {
  title: ReactNode
  children: ReactNode
  /** `top`: near the top edge, for search. `side`: a sheet at the right edge. */
  place?: 'centre' | 'top' | 'side'
  /** No head: `title` is only its name for screen readers. */
  bare?: boolean
  className?: string
}

/**
 * A native dialog, open as long as it is rendered. From the server it stands open as it is; scripts then make it modal:
 * the page behind is inert and doesn't scroll, Escape and a press beside it close it, focus goes back where it came from.
 * Mark the control that takes the first focus with `data-autofocus`; without one it is the first field.
 */
export function Dialog({ title, children, place = 'centre', bare = false, className = '', closeTo, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
  const titleId = useId()
  const navigate = useNavigate()
  const close = () => (onClose ? onClose() : navigate(closeTo ?? '.', { preventScrollReset: true }))

  useModal(element)

  return (
    <dialog
      ref={element}
      open
      className={`dialog-layer${place === 'centre' ? '' : ` is-${place}`}`}
      aria-labelledby={titleId}
      aria-modal="true"
      onCancel={(event: SyntheticEvent) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget
      }}
      onClick={(event: MouseEvent<HTMLDialogElement>) => {
        if (event.target === event.currentTarget && pressedBeside.current && !hasTyping(event.currentTarget)) close()
      }}
    >
      <div className={`dialog ${className}`}>
        {bare ? (
          <h2 id={titleId} className="sr-only">
            {title}
          </h2>
        ) : (
          <div className="flex items-start gap-3 px-5 pb-1 pt-5 sm:px-6">
            <h2 id={titleId} className="min-w-0 flex-1 font-serif text-xl wrap-anywhere">
              {title}
            </h2>
            {closeTo ? (
              <Link to={closeTo} preventScrollReset aria-label="Close" className="btn btn-ghost btn-sm btn-icon -mr-1.5 -mt-0.5">
                <X className="i" />
              </Link>
            ) : (
              <button type="button" aria-label="Close" className="btn btn-ghost btn-sm btn-icon -mr-1.5 -mt-0.5" onClick={close}>
                <X className="i" />
              </button>
            )}
          </div>
        )}
        {children}
      </div>
    </dialog>
  )
}

/** The actions of a dialog, at its lower right. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="px-5 pb-5 pt-1.5 sm:px-6 sm:pb-6">{children}</div>
}

function useModal(element: React.RefObject<HTMLDialogElement | null>) {
  useIsomorphicLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const before = document.activeElement
    // Somebody may have begun to type before the scripts were there.
    const within = before instanceof HTMLElement && dialog.contains(before) ? before : null
    dialog.removeAttribute('open')
    dialog.showModal()
    ;(within ?? firstFocus(dialog))?.focus()
    opened(dialog)
    return () => {
      closed(dialog)
      dialog.close()
      // A dialog that came with the page has nothing to go back to: the page itself, then.
      if (within || before === document.body || !before?.isConnected) document.getElementById('main')?.focus()
    }
  }, [element])
}

// On the server there is nothing to measure or open.
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

function firstFocus(dialog: HTMLElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    dialog.querySelector<HTMLElement>('input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)')
  )
}

/** A press beside a dialog must not throw away what was typed; Escape and Cancel are clear enough. */
function hasTyping(dialog: HTMLElement): boolean {
  return [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type="hidden"], [type="search"]), textarea')].some(
    (input) => (input.type === 'checkbox' || input.type === 'radio' ? false : input.value !== input.defaultValue),
  )
}
