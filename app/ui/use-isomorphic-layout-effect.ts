import { useEffect, useLayoutEffect } from 'react'

/**
 * For listeners that must miss no key or click: other effects run some time after the page has been hydrated. React
 * warns about layout effects on the server.
 */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
