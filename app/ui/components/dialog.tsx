import { useNavigate } from '@remix-run/react'
import { X } from 'lucide-react'
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react'
import { Button } from './button.tsx'
import { closed, opened } from './modal-stack.ts'
import { Link } from '../navigation/link.tsx'
import { stepsBackTo } from '../navigation/navigation-history.ts'
import { hasTyping } from '../forms/unsaved-changes.tsx'

type Closed =
  | {
      /** The address without the dialog: closing works before scripts have loaded. */
      closeTo: string
      onClose?: undefined
    }
  | { closeTo?: undefined; onClose: () => void }

export type DialogProps = Closed & {
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
export function Dialog({
  title,
  children,
  place = 'centre',
  bare = false,
  className = '',
  closeTo,
  onClose,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
  const titleId = useId()
  const goBack = useWayBack(closeTo ?? '.')
  const close = onClose ?? goBack

  useModal(element)

  return (
    <Closing.Provider value={{ closeTo, close }}>
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
              <DialogClose label="Close" className="btn btn-ghost btn-sm btn-icon -mr-1.5 -mt-0.5">
                <X className="i" />
              </DialogClose>
            </div>
          )}
          {children}
        </div>
      </dialog>
    </Closing.Provider>
  )
}

const Closing = createContext<{ closeTo: string | undefined; close: () => void }>({
  closeTo: undefined,
  close: () => {},
})

/** Whether this stands in a dialog: what leads from there to another dialog takes its place in the history. */
export function useInDialog(): boolean {
  return useContext(Closing).closeTo !== undefined
}

/** Closes the dialog that it stands in. */
export function DialogClose({
  children = 'Cancel',
  label,
  className = 'btn btn-secondary',
  first,
}: {
  children?: ReactNode
  label?: string
  className?: string /** Takes the first focus. */
  first?: boolean
}) {
  const { closeTo, close } = useContext(Closing)
  const common = { 'aria-label': label, className, 'data-autofocus': first || undefined }
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

/** The actions of a dialog, at its lower right; `sticky`: at the lower edge of a sheet, in sight wherever it is scrolled to. */
export function DialogActions({ children, sticky = false }: { children: ReactNode; sticky?: boolean }) {
  const place = sticky
    ? 'sticky bottom-0 -mx-5 -mb-5 border-t border-line bg-raised px-5 py-3.5 sm:-mx-6 sm:-mb-6 sm:px-6'
    : 'mt-6'
  return <div className={`flex flex-wrap items-center justify-end gap-2 ${place}`}>{children}</div>
}

/** The end of a dialog's form: what else can be done (`aside`), Cancel, and the deed. Before what can't be undone Cancel has the first focus. */
export function DialogSubmit({
  children,
  busy,
  busyLabel = 'Saving...',
  danger = false,
  sticky,
  aside,
}: {
  children: ReactNode
  busy: boolean
  busyLabel?: string
  danger?: boolean
  sticky?: boolean
  aside?: ReactNode
}) {
  return (
    <DialogActions sticky={sticky}>
      {aside && <span className="mr-auto flex items-center gap-2">{aside}</span>}
      <DialogClose first={danger} />
      <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
    </DialogActions>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="px-5 pb-5 pt-1.5 sm:px-6 sm:pb-6">{children}</div>
}

/**
 * Closes a dialog that an address opens, and leaves it behind in no history: back to the page that it was opened from, or
 * else in its place.
 */
function useWayBack(closeTo: string): () => void {
  const navigate = useNavigate()
  const going = useRef(false)
  return () => {
    const steps = stepsBackTo(closeTo)
    if (!steps) return navigate(closeTo, { replace: true, preventScrollReset: true })
    // The browser goes in its own time: a second press must not go further back.
    if (going.current) return
    going.current = true
    window.addEventListener('popstate', () => (going.current = false), { once: true })
    navigate(-steps)
  }
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
    dialog.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog.querySelector<HTMLElement>(
      'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)',
    )
  )
}
