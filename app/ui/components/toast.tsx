import { useFetcher } from '@remix-run/react'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { createPortal } from 'react-dom'
import type { ToastMessage } from '#app/lib/flash.ts'
import { CircleAlert, CircleCheck, Cross } from './icons.tsx'
import { onLayers, topLayer } from './modal-stack.ts'
import { Link } from '../navigation/link.tsx'
import { speaks } from './toast-bus.ts'

const Show = createContext<(toast: ToastMessage) => void>(() => {})

/** Shows a toast; the one before it goes. */
export function useToast(): (toast: ToastMessage) => void {
  return useContext(Show)
}

/** Shows the toast that an action answered with, once for each answer. */
export function useToastOf(answer: { toast?: ToastMessage | undefined } | undefined): void {
  const show = useToast()
  useEffect(() => {
    if (answer?.toast) show(answer.toast)
  }, [answer, show])
}

/** One toast at a time. `first` is the one that the server left for this page. */
export function Toaster({
  first,
  aboveTabs,
  children,
}: {
  first: ToastMessage | null
  aboveTabs: boolean
  children: ReactNode
}) {
  const [toast, setToast] = useState(first)
  const [seen, setSeen] = useState(first)
  if (first !== seen) {
    setSeen(first)
    if (first) setToast(first)
  }
  const show = useCallback((next: ToastMessage) => setToast({ ...next }), [])
  const dismiss = useCallback(() => setToast(null), [])
  useEffect(() => speaks(show), [show])
  const layer = useSyncExternalStore(onLayers, topLayer, () => null)
  const region = <Region toast={toast} aboveTabs={aboveTabs} onDismiss={dismiss} />
  return (
    <Show.Provider value={show}>
      {children}
      {/* A modal dialog makes the page inert: a toast that speaks while it is open belongs inside it. */}
      {layer ? createPortal(region, layer) : region}
    </Show.Provider>
  )
}

function Region({
  toast,
  aboveTabs,
  onDismiss,
}: {
  toast: ToastMessage | null
  aboveTabs: boolean
  onDismiss: () => void
}) {
  const card = toast && <ToastCard key={`${toast.title} ${toast.text}`} toast={toast} onDismiss={onDismiss} />
  const className = `toast-region no-print${aboveTabs ? ' is-above-tabs' : ''}`
  return (
    <>
      <div role="status" className={className}>
        {toast?.tone === 'success' && card}
      </div>
      <div role="alert" className={className}>
        {toast?.tone === 'error' && card}
      </div>
    </>
  )
}

function ToastCard({ toast, onDismiss }: { toast: ToastMessage; onDismiss: () => void }) {
  const hold = useTimer(toast, onDismiss)
  const Sign = toast.tone === 'error' ? CircleAlert : CircleCheck
  return (
    <div className="toast" {...hold}>
      <Sign
        className={`i mt-0.5 !size-[1.125rem] ${toast.tone === 'error' ? 'text-danger-text' : 'text-success-text'}`}
      />
      <div className="min-w-0 flex-1">
        <div className="font-semibold">{toast.title}</div>
        {toast.text && <div className="text-ink-2 wrap-anywhere">{toast.text}</div>}
        {toast.action && <ToastAction action={toast.action} onDone={onDismiss} />}
        {toast.link && (
          <Link
            to={toast.link.to}
            target={toast.link.newTab && '_blank'}
            className="btn btn-secondary btn-sm mt-2"
            onClick={onDismiss}
          >
            {toast.link.label}
          </Link>
        )}
      </div>
      <button
        type="button"
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover pointer-coarse:-m-2.5 pointer-coarse:size-11"
        aria-label="Dismiss"
        onClick={onDismiss}
      >
        <Cross className="i" />
      </button>
    </div>
  )
}

function ToastAction({ action, onDone }: { action: NonNullable<ToastMessage['action']>; onDone: () => void }) {
  const fetcher = useFetcher()
  const sent = useRef(false)
  useEffect(() => {
    if (fetcher.state !== 'idle') sent.current = true
    else if (sent.current) onDone()
  }, [fetcher.state, onDone])
  return (
    <fetcher.Form method="post" action={action.to} className="mt-2">
      {Object.entries(action.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="btn btn-secondary btn-sm" disabled={fetcher.state !== 'idle'}>
        {action.label}
      </button>
    </fetcher.Form>
  )
}

/** 5 seconds, 10 with something to undo or to open, not while it is pointed at or holds the focus; errors stay. */
function useTimer(toast: ToastMessage, onEnd: () => void) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (toast.tone === 'error' || held) return
    const timer = setTimeout(onEnd, toast.action || toast.link ? 10_000 : 5_000)
    return () => clearTimeout(timer)
  }, [toast, held, onEnd])
  return {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
}
