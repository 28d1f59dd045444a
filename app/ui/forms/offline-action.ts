import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'
import type { FailureMessage } from '#app/lib/action-messages.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { showToast } from '../components/toast-bus.ts'
import { mutationsSettled } from '../dnd/mutation-queue.ts'

/** The message when a form fails, by its `intent` ('' for a form without one). A function gets the form's URL. */
export type FailureMessages = Record<string, FailureMessage | ((url: URL) => FailureMessage)>

/**
 * A `clientAction` that loses no input. If the server can't be reached, its response can't be read or the session has
 * ended, the page stays as it is, and a toast and the form show what happened. Waits for pending drag-and-drop changes
 * first.
 */
export function keepFormOnFailure(messages: FailureMessages = {}) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    await mutationsSettled()
    const form = await request.clone().formData()
    const url = new URL(request.url)
    const keepForm = ({ toast, problem }: ClientFailure) => {
      showToast(toast)
      suspendRevalidation()
      return leavesThePage(url) ? stayOnPage() : failureResponse(form, problem)
    }
    try {
      return (wasSignedOut || isOnVisit()) && (await hasUserChanged()) ? keepForm(userChanged) : await serverAction()
    } catch (error) {
      // Don't interrupt a user who has already navigated away.
      const failure = request.signal.aborted
        ? null
        : (toRefusal(error) ?? toClientFailure(error, messages[String(form.get('intent') ?? '')], url))
      if (!failure) throw error
      return keepForm(failure)
    }
  }
}

type ClientFailure = { toast: ToastMessage; problem: string }

/** Null unless the server sent a toast: the session has ended, or the page's part of the product was switched off. */
function toRefusal(error: unknown): ClientFailure | null {
  if (!isRouteErrorResponse(error) || !error.data?.tone) return null
  const toast: ToastMessage = error.data
  if (error.status !== 401) return { toast, problem: `${toast.title} ${toast.text} Your input is kept.` }
  wasSignedOut = true
  return {
    toast: { ...toast, link: signInInNewTab },
    problem: `${toast.title}. Sign in from another tab, then submit again. Your input is kept.`,
  }
}

let wasSignedOut = false

/** Whether the document shows a coach's practice to support, whose visit may have ended in another tab. */
const isOnVisit = (): boolean => Boolean(window.__remixRouter.state.loaderData.root?.supportBar)

/** Never save into another account if somebody else signed in in this browser. */
async function hasUserChanged(): Promise<boolean> {
  const { shell } = window.__remixRouter.state.loaderData
  const response = await fetch('/api/user', { cache: 'no-store' })
  return shell !== undefined && response.ok && (await response.json()).email !== shell.user.email
}

const userChanged: ClientFailure = {
  toast: {
    tone: 'error',
    title: 'Another account is signed in',
    text: 'Your changes were not saved. Sign in with the original account or reload the page.',
  },
  problem: 'Another account is signed in. Sign in with the original account, then submit again. Your input is kept.',
}

/** A toast link: signing in in a new tab keeps the page and its input. */
export const signInInNewTab = { label: 'Sign In', to: '/auth', newTab: true } as const

/** Null for redirects and error responses: they have a page of their own. */
function toClientFailure(
  error: unknown,
  message: FailureMessages[string] = 'Something went wrong. Please try again.',
  url: URL,
): ClientFailure | null {
  if (!(error instanceof Error)) return null
  const resolved = typeof message === 'function' ? message(url) : message
  const { title, text } = typeof resolved === 'string' ? { title: 'Error', text: resolved } : resolved
  const sentence = text.replace(/[^.]$/, '$&.')
  const reason = error instanceof TypeError ? ' The server could not be reached.' : ''
  return { toast: { tone: 'error', title, text }, problem: `${sentence}${reason} Your input is kept.` }
}

/** Whether the form navigates to another page, which can't be loaded now. A fetcher always stays on the page. */
function leavesThePage(url: URL): boolean {
  const { state, formAction } = window.__remixRouter.state.navigation
  return (
    state === 'submitting' &&
    new URL(formAction, url).href === url.href &&
    url.pathname + url.search !== window.location.pathname + window.location.search
  )
}

let isRevalidationSuspended = false

/** Skips the reload after a failed action: it would fail too and replace the page with an error. */
function suspendRevalidation(): void {
  // Two actions can fail at once: remember the original values only the first time.
  if (isRevalidationSuspended) return
  isRevalidationSuspended = true
  const router = window.__remixRouter
  const routes = router.state.matches.map(({ route }) => route)
  const originals = routes.map(({ shouldRevalidate }) => shouldRevalidate)
  for (const route of routes) route.shouldRevalidate = () => false
  const unsubscribe = router.subscribe(({ navigation, fetchers }) => {
    if ([navigation, ...fetchers.values()].some(({ state }) => state !== 'idle')) return
    for (const [index, route] of routes.entries()) route.shouldRevalidate = originals[index]!
    isRevalidationSuspended = false
    unsubscribe()
  })
}

/** A redirect to the current page. */
function stayOnPage(): Response {
  const { pathname, search } = window.location
  return new Response(null, {
    status: 302,
    headers: { Location: `${pathname}${search}#here`, 'X-Remix-Replace': 'true' },
  })
}

/** The response of an action whose form is shown again, without passwords. */
function failureResponse(form: FormData, problem: string): Response {
  const initialValue = Object.fromEntries(
    [...form].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name)),
  )
  return Response.json({ result: { status: 'error', initialValue, error: { '': [problem] } } }, { status: 503 })
}
