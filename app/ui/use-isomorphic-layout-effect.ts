import { useEffect, useLayoutEffect } from 'react'

/** React warns about layout effects on the server. */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
