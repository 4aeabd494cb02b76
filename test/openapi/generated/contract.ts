// Generated from 1d7482eea86b1d99806269ab600eee2935708a5914c4a1dc615f0d3b69300090: npm run openapi:client
export interface paths {
    "/v2/auth/login-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/auth/login-codes/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v2/users/{userId}/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRequirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users/{userId}/kyc-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["createKycLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/users/{userId}/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["importKyc"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["createQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTransactions"];
        put?: never;
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transactions/{txId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["cancelTransaction"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhook-configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhookConfiguration"];
        put: operations["putWebhookConfiguration"];
        post?: never;
        delete: operations["deleteWebhookConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhook-configurations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhookConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhook-configurations/signing-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/loginCodeSend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["v1SendLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/loginCodeVerify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["v1VerifyLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generateApiLink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["v1GenerateApiLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apiFindUser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["v1FindUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sumsubImportUser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["v1ImportUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/priceQuote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["v1PriceQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["v1GetTransaction"];
        put?: never;
        /** @deprecated */
        post: operations["v1CreateTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["v1GetWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** @deprecated */
        patch: operations["v1PatchWebhooks"];
        trace?: never;
    };
    "/webhook-signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["v1MakeSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submitKYB": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitKyb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "user.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onUserUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onTransactionUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "v1.verifiedEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["onV1UserVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "v1.transactionInitiated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["onV1TransactionInitiated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "v1.transactionComplete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["onV1TransactionComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "v1.transactionStatusUpdate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["onV1TransactionStatusUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** AccessToken */
        AccessToken: {
            accessToken: string;
            /** @constant */
            tokenType: "Bearer";
            expiresIn: number;
        };
        /** Bounds */
        Bounds: {
            minimum: number;
            maximum: number;
        };
        /** Breakdown */
        Breakdown: {
            fee: number;
            gas: number;
            spread: number;
            total: number;
        };
        /** Failure */
        Failure: {
            /** @constant */
            success: false;
            errors: {
                field: string;
                message: string;
            }[];
        };
        /** FoundUser */
        FoundUser: {
            /** Format: uuid */
            id: string;
            accessibleBy?: ("jwt" | "apiKey")[];
            /** @enum {string} */
            status?: "initial" | "active" | "verified" | "rejected" | "inactive" | "upload" | "in-review";
            /** Format: email */
            email?: string;
        };
        /** KycLink */
        KycLink: {
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** Limits */
        Limits: {
            leftSideCurrency: {
                [key: string]: components["schemas"]["Bounds"];
            };
        };
        /** OutstandingRequirement */
        OutstandingRequirement: {
            field: string;
            message: string;
        };
        /** PlainFailure */
        PlainFailure: {
            message: string;
            status: string;
        };
        /** Quote */
        Quote: {
            quoteId: number;
            leftSideLabel?: string;
            leftSideValue?: number;
            rightSideLabel?: string;
            rightSideValue?: number;
            rate?: number;
            /** Format: date-time */
            expiresAt?: string;
            breakdown: components["schemas"]["Breakdown"];
        };
        /** TestDelivery */
        TestDelivery: {
            eventId: string;
            deliveredStatusCode: number;
            deliveredStatusText: string;
        };
        /** Transaction */
        Transaction: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            date: string;
            coin: string;
            leftSideLabel: string;
            leftSideValue: number;
            rightSideLabel: string;
            rightSideValue: number;
            status: string;
            wallet: string;
            paymentType: string;
            paymentId: string | null;
            rmtId: string;
            depositAddress?: string | null;
        };
        /** TransactionPage */
        TransactionPage: {
            items: components["schemas"]["Transaction"][];
            total: number;
            limit: number;
            offset: number;
        };
        /** TransactionUpdate */
        TransactionUpdate: {
            transactionId: string;
            status: string;
            email: string;
            wallet: string;
            paymentId: string | null;
            leftSideLabel: string;
            leftSideValue: number;
            rightSideLabel: string;
            rightSideValue: number;
            etransferSecurityAnswer: string | null;
            externalSessionId: string | null;
        };
        /** User */
        User: {
            /** Format: uuid */
            id: string;
            accessibleBy?: ("jwt" | "apiKey")[];
            /** @enum {string} */
            status?: "initial" | "active" | "verified" | "rejected" | "inactive" | "upload" | "in-review";
        };
        /** UserUpdate */
        UserUpdate: {
            userId: string;
            email: string;
            /** @enum {string} */
            status: "initial" | "active" | "verified" | "rejected" | "inactive" | "upload" | "in-review";
        };
        /** V1Quote */
        V1Quote: {
            quoteId: number;
            gasId: number;
            cadusd: number;
            leftSideLabel: string;
            leftSideValue: string;
            rightSideLabel: string;
            rightSideValue: string;
            fee: number;
            ethGasFee: number;
        };
        /** V1Transaction */
        V1Transaction: {
            coin: string;
            /** Format: date-time */
            date: string;
            fee: string;
            leftSideLabel: string;
            leftSideValue: number;
            rightSideLabel: string;
            rightSideValue: number;
            status: string;
            /** Format: uuid */
            tx_id: string;
            wallet: string;
            eth_fee: boolean;
            payment_id: string | null;
            payment_type: string;
        };
        /** V1TransactionUpdate */
        V1TransactionUpdate: {
            txId: string;
            status: string;
            email: string;
            wallet: string;
            paymentId: string | null;
            leftSideLabel: string;
            leftSideValue: number;
            rightSideLabel: string;
            rightSideValue: number;
            etransferSecurityAnswer: string | null;
            externalSessionId: string | null;
        };
        /** V1UserVerified */
        V1UserVerified: {
            email: string;
            /** @enum {string} */
            status: "initial" | "active" | "verified" | "rejected" | "inactive" | "upload" | "in-review";
        };
        /** V1Webhooks */
        V1Webhooks: {
            verifiedEmailEnabled: boolean;
            transactionInitiatedEnabled: boolean;
            transactionCompleteEnabled: boolean;
            transactionStatusUpdateEnabled: boolean;
            verifiedEmailUrl: string;
            transactionInitiatedUrl: string;
            transactionCompleteUrl: string;
            transactionStatusUpdateUrl: string;
        };
        /** WebhookConfiguration */
        WebhookConfiguration: {
            /** Format: uri */
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            signingSecret?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        "x-sandbox-request": string;
        "x-sandbox-assumption": string;
        deprecation: string;
        sunset: string;
        "retry-after": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendLoginCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            message?: string;
                        };
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    verifyLoginCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AccessToken"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    findUsers: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FoundUser"][];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    firstName?: string;
                    lastName?: string;
                    dob?: string;
                    phone?: string;
                    addressLine1?: string;
                    addressLine2?: string;
                    city?: string;
                    province?: string;
                    postalCode?: string;
                    occupation?: string;
                    pep?: boolean;
                    tpd?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            409: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName?: string;
                    lastName?: string;
                    dob?: string;
                    addressLine1?: string;
                    addressLine2?: string;
                    city?: string;
                    province?: string;
                    postalCode?: string;
                    occupation?: string;
                    pep?: boolean;
                    tpd?: boolean;
                    purpose?: string;
                    olderUserInfo?: {
                        sourceOfFunds?: string;
                        intendedUseOfUSDC?: string;
                        walletProvider?: string;
                        walletAddress?: string;
                        howDidYouHear?: string;
                        whoReferredYou?: string;
                        previousCryptoExperience?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getRequirements: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            complete: boolean;
                            outstanding: components["schemas"]["OutstandingRequirement"][];
                        } | components["schemas"]["OutstandingRequirement"][];
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createKycLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["KycLink"];
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    "x-sandbox-assumption": components["headers"]["x-sandbox-assumption"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    importKyc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    shareToken?: string;
                    share_token?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query: {
                leftSideLabel: string;
                leftSideValue: number;
                rightSideLabel: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Quote"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: {
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Limits"];
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TransactionPage"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createTransaction: {
        parameters: {
            query?: {
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    leftSideLabel: string;
                    leftSideValue: number;
                    rightSideLabel: string;
                    wallet: string;
                    quoteId: number;
                    externalSessionId?: string | null;
                    userId?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Transaction"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Transaction"];
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Transaction"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getWebhookConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookConfiguration"] | null;
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    putWebhookConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookConfiguration"];
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    deleteWebhookConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    testWebhookConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TestDelivery"];
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            signingSecret: string;
                        };
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    v1SendLoginCode: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Login code sent to user";
                        /** @constant */
                        status: "success";
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1VerifyLoginCode: {
        parameters: {
            query: {
                email: string;
                login_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Email code validated";
                        /** @constant */
                        status: "success";
                        /** Format: jwt */
                        token: string;
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1GenerateApiLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address1: string;
                    address2: string;
                    city: string;
                    dob: string;
                    email: string;
                    first_name: string;
                    last_name: string;
                    occupation: string;
                    pep: boolean | ("true" | "false");
                    phone: string;
                    postal: string;
                    province: string;
                    tpd: boolean | ("true" | "false");
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "API user created";
                        /** @constant */
                        status: "success";
                        /** Format: uri */
                        verificationLink: string;
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            409: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1FindUser: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "User found";
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        userId: string;
                        /** @enum {string} */
                        userStatus?: "initial" | "active" | "verified" | "rejected" | "inactive" | "upload" | "in-review";
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1ImportUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    share_token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "User imported successfully";
                        /** @constant */
                        status: "success";
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1PriceQuote: {
        parameters: {
            query: {
                leftSideLabel: string;
                leftSideValue: number;
                rightSideLabel: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1Quote"];
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1GetTransaction: {
        parameters: {
            query: {
                tx_id: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1Transaction"];
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1CreateTransaction: {
        parameters: {
            query?: {
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    leftSideLabel: string;
                    leftSideValue: number;
                    rightSideLabel: string;
                    wallet?: string;
                    quoteId: number;
                    externalSessionId?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "New transaction created";
                        /** @constant */
                        status: "success";
                        /** Format: uuid */
                        tx: string;
                        rmt: string;
                        depositAddress?: string;
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            403: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            404: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1GetWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1Webhooks"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1PatchWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    verifiedEmailEnabled?: boolean;
                    transactionInitiatedEnabled?: boolean;
                    transactionCompleteEnabled?: boolean;
                    transactionStatusUpdateEnabled?: boolean;
                    verifiedEmailUrl?: string;
                    transactionInitiatedUrl?: string;
                    transactionCompleteUrl?: string;
                    transactionStatusUpdateUrl?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V1Webhooks"];
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    v1MakeSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        signingSecret: string;
                    };
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            410: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    deprecation: components["headers"]["deprecation"];
                    sunset: components["headers"]["sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    submitKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    authorized_user_data: {
                        address1: string;
                        city: string;
                        dob: string;
                        firstName: string;
                        lastName: string;
                        occupation: string;
                        postal: string;
                        province: string;
                    };
                    business_nature: string;
                    corporate_phone: string;
                    corporation_address: {
                        address1: string;
                        city: string;
                        postal: string;
                        province: string;
                    };
                    corporation_base64_url: {
                        name: string;
                        type: string;
                        url: string;
                    }[];
                    corporation_email: string;
                    corporation_name: string;
                    corporation_number: string;
                    date_of_incorp: string;
                    incorpCertData: string[] | string;
                    is_pep: boolean;
                    is_quarter_owner: boolean;
                    list_of_directors: {
                        directorEmails: string;
                        directorNames: string;
                        directorOccupations: string;
                        directorsDOB: string;
                    };
                    list_of_quarter_owners: {
                        quarterOwners: string;
                        quarterOwnersDOB: string;
                        quarterOwnersEmail: string;
                        quarterOwnersOccupation: string;
                    };
                    msb_reg: boolean;
                    paytrie_email: string;
                    /** @enum {string} */
                    purpose: "defi_transactions" | "merchant_transactions" | "payments" | "payroll" | "trading_investments" | "treasury_management";
                    /** @enum {string} */
                    source_of_funds: "business_revenue" | "grants" | "investments_treasury" | "loans_financing";
                    tpd: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "KYB submitted";
                        /** @constant */
                        status: "success";
                    };
                };
            };
            400: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            401: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            413: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
            415: {
                headers: {
                    "x-sandbox-request": components["headers"]["x-sandbox-request"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlainFailure"];
                };
            };
        };
    };
    onUserUpdate: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    apiVersion: "v2";
                    /** Format: date-time */
                    occurredAt: string;
                    /** @constant */
                    type: "user.update";
                    payload: components["schemas"]["UserUpdate"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionUpdate: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @constant */
                    apiVersion: "v2";
                    /** Format: date-time */
                    occurredAt: string;
                    /** @constant */
                    type: "transaction.update";
                    payload: components["schemas"]["TransactionUpdate"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onV1UserVerified: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1UserVerified"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onV1TransactionInitiated: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1TransactionUpdate"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onV1TransactionComplete: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1TransactionUpdate"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onV1TransactionStatusUpdate: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Timestamp": string;
                "X-Service-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V1TransactionUpdate"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
