import { createContext, useContext } from 'react'

export const NonceContext = createContext<string | undefined>(undefined)

/** The nonce that the page's Content-Security-Policy allows, for the few components that write a style or script of their own. */
export const useNonce = (): string | undefined => useContext(NonceContext)
