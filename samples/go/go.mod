module keysystem

go 1.19
