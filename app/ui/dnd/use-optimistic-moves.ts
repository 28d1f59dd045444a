import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ToastMessage } from '#app/lib/flash.ts'
import { useToast } from '../components/toast.tsx'
import { signInInNewTab } from '../forms/offline-action.ts'
import { enqueueMutation } from './mutation-queue.ts'

export type MoveRequest = { method: 'PATCH' | 'POST'; path: string; body: object }
/** Status 0: the server could not be reached. `message`: of the API, for a 4xx. */
export type MoveResponse = { ok: boolean; status: number; message: string }
type PendingMove<Move> = { key: number; move: Move; isSaved: boolean }

type Options<State, Move> = {
  /** A constant function; it runs again whenever moves or data change. */
  apply: (state: State, move: Move) => State
  toRequest: (move: Move) => MoveRequest
  savedToast?: (move: Move) => ToastMessage | Promise<ToastMessage>
  failureText: (move: Move, response: MoveResponse) => string | Promise<string>
  revalidate: () => void
}

/**
 * Shows moves at once, on top of the `loaded` data, and sends them one after the other. A move that fails is undone
 * with a toast. `latest` is the state including moves that are not rendered yet.
 */
export function useOptimisticMoves<State, Move>(
  loaded: State,
  options: Options<State, Move>,
): { state: State; latest: { readonly current: State }; move: (move: Move) => void } {
  const [pending, setPending] = useState<PendingMove<Move>[]>([])
  const showToast = useToast()
  const nextKey = useRef(0)
  const current = useRef(options)
  current.current = options
  const { apply } = options

  const state = useMemo(() => pending.reduce((all, { move }) => apply(all, move), loaded), [apply, loaded, pending])
  const latest = useRef(state)
  latest.current = state

  // Data loaded after a move was saved includes it.
  useEffect(
    () => setPending((all) => (all.some(({ isSaved }) => isSaved) ? all.filter(({ isSaved }) => !isSaved) : all)),
    [loaded],
  )

  const move = useCallback(
    (next: Move) => {
      const key = nextKey.current++
      latest.current = current.current.apply(latest.current, next)
      setPending((all) => [...all, { key, move: next, isSaved: false }])
      enqueueMutation(async (signal) => {
        const { toRequest, savedToast, failureText, revalidate } = current.current
        const response = await send(toRequest(next), signal)
        if (response.ok) {
          setPending((all) => all.map((one) => (one.key === key ? { ...one, isSaved: true } : one)))
          if (savedToast) showToast(await savedToast(next))
        } else {
          setPending((all) => all.filter((one) => one.key !== key))
          showToast(failureToast(await failureText(next, response), response))
        }
        revalidate()
      })
    },
    [showToast],
  )
  return { state, latest, move }
}

const failureToast = (text: string, { status }: MoveResponse): ToastMessage => ({
  tone: 'error',
  title: 'Error',
  text,
  ...(status === 401 ? { link: signInInNewTab } : {}),
})

async function send({ method, path, body }: MoveRequest, signal: AbortSignal): Promise<MoveResponse> {
  try {
    const response = await fetch(path, {
      signal,
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { ok, status } = response
    const isClientError = status >= 400 && status < 500
    const { message = '' }: { message?: string } = isClientError ? await response.json() : {}
    return { ok, status, message }
  } catch {
    return { ok: false, status: 0, message: '' }
  }
}
