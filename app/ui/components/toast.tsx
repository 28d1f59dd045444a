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
import { subscribeToModals, topModal } from './modal-stack.ts'
import { Link } from '../navigation/link.tsx'
import { registerToaster } from './toast-bus.ts'
import { useFetcher } from '../forms/use-fetcher.ts'

const ToastContext = createContext<(toast: ToastMessage) => void>(() => {})

/** Returns a function that shows a toast, replacing the current one. */
export function useToast(): (toast: ToastMessage) => void {
  return useContext(ToastContext)
}

/** Shows the toast of an action's result, once per result. */
export function useResultToast(actionData: { toast?: ToastMessage | undefined } | undefined): void {
  const show = useToast()
  useEffect(() => {
    if (actionData?.toast) show(actionData.toast)
  }, [actionData, show])
}

/** Shows one toast at a time. `initial` is the flash message of this page. */
export function Toaster({
  initial,
  aboveTabs,
  children,
}: {
  initial: ToastMessage | null
  aboveTabs: boolean
  children: ReactNode
}) {
  const [toast, setToast] = useState(initial)
  const [lastInitial, setLastInitial] = useState(initial)
  if (initial !== lastInitial) {
    setLastInitial(initial)
    if (initial) setToast(initial)
  }
  const show = useCallback((next: ToastMessage) => setToast({ ...next }), [])
  const dismiss = useCallback(() => setToast(null), [])
  useEffect(() => registerToaster(show), [show])
  const modal = useSyncExternalStore(subscribeToModals, topModal, () => null)
  const region = <Region toast={toast} aboveTabs={aboveTabs} onDismiss={dismiss} />
  return (
    <ToastContext.Provider value={show}>
      {children}
      {/* An open modal dialog makes the rest of the page inert. */}
      {modal ? createPortal(region, modal) : region}
    </ToastContext.Provider>
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
  const pauseHandlers = useDismissTimer(toast, onDismiss)
  const ToneIcon = toast.tone === 'error' ? CircleAlert : CircleCheck
  return (
    <div className="toast" {...pauseHandlers}>
      <ToneIcon
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
        className={[
          '-m-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover',
          'pointer-coarse:-m-2.5 pointer-coarse:size-11',
        ].join(' ')}
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

/** Dismisses after 5 seconds, or 10 with an action or link. Pauses on hover and focus. Errors stay. */
function useDismissTimer(toast: ToastMessage, onEnd: () => void) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (toast.tone === 'error' || isPaused) return
    const timer = setTimeout(onEnd, toast.action || toast.link ? 10_000 : 5_000)
    return () => clearTimeout(timer)
  }, [toast, isPaused, onEnd])
  return {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
