import { createContext, useContext } from 'react'

export const NonceContext = createContext<string | undefined>(undefined)

/** The nonce of the Content-Security-Policy, for components that render an inline style or script. */
export const useNonce = (): string | undefined => useContext(NonceContext)
