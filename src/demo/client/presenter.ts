export const isRestoring = (): boolean => false
