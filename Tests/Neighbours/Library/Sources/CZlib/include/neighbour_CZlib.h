int neighbour_CZlib(void);
